// SPDX-License-Identifier: MIT
// The handler runs in a process whose memory may be in any state. It has a stack of its own, calls
// nothing that allocates, and writes to a descriptor with a fixed number, because there is no other
// place where it could look one up. First comes a struct with what the signal brought, then a line
// for each function as backtrace_symbols_fd writes it: "FILE(NAME+OFFSET) [ADDRESS]", without a
// name for functions that are not exported, which most of ours are not. The reader has the same
// program file and finds those in its table of symbols. Should the handler hang on a lock of the
// loader, an alarm ends the process.
#include "cli/serve/crash.h"

#include "base/mem.h"

#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TRACE_FD = 63,
    FRAMES_MAX = 64,
    FRAMES_OWN = 1, // the handler
    STACK_BYTES = 1 << 16,
    HANG_S = 10,
    NAME_SHOWN = 200,
};

static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

// What the signal brought.
struct cause {
    int32_t code;   // si_code
    int32_t sender; // of a signal that was sent
    uint64_t address;
};

int crash_lately(const struct crashes *falls, int64_t now_us) {
    int lately = 0;
    for (int i = 0; i < CRASHES_MOST && i < falls->count; i++)
        lately += now_us - falls->at_us[i] < CRASHES_WITHIN_US;
    return lately;
}

bool crash_add(struct crashes *falls, int64_t now_us) {
    falls->at_us[falls->count % CRASHES_MOST] = now_us;
    falls->count++;
    if (falls->count == 2 * CRASHES_MOST) // it only has to stay full
        falls->count = CRASHES_MOST;
    return crash_lately(falls, now_us) == CRASHES_MOST;
}

// It is pending until we return, and then ends the process as it would have.
static void on_fatal(int number, siginfo_t *info, void *context) {
    (void)context;
    void *frames[FRAMES_MAX];
    const bool sent = info->si_code <= 0;
    const struct cause cause = {.code = info->si_code,
                                .sender = sent ? info->si_pid : 0,
                                .address = sent ? 0 : (uint64_t)(uintptr_t)info->si_addr};
    signal(SIGALRM, SIG_DFL);
    alarm(HANG_S);
    if (write(TRACE_FD, &cause, sizeof cause) == sizeof cause) {
        const int count = backtrace(frames, FRAMES_MAX);
        if (count > FRAMES_OWN)
            backtrace_symbols_fd(frames + FRAMES_OWN, count - FRAMES_OWN, TRACE_FD);
    }
    raise(number);
}

bool crash_watch(int fd) {
    void *first[1];
    if (mem_is_sanitized())
        return true;
    if (dup3(fd, TRACE_FD, O_CLOEXEC) < 0)
        return false;
    backtrace(first, 1); // loads what it needs, which the handler could not
    const stack_t stack = {.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                           .ss_size = STACK_BYTES};
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
        return false;
    struct sigaction action = {.sa_sigaction = on_fatal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, NULL);
    return true;
}

// This program's file, as far as it is needed.
struct image {
    const char *bytes;
    size_t size;
};

static const void *part_of(const struct image *image, uint64_t at, uint64_t size) {
    return at <= image->size && size <= image->size - at ? image->bytes + at : NULL;
}

static const Elf64_Shdr *section_of(const struct image *image, const Elf64_Ehdr *head, unsigned i) {
    if (i >= head->e_shnum || head->e_shentsize != sizeof(Elf64_Shdr))
        return NULL;
    return part_of(image, head->e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

// The name of the function in a table of symbols that an offset lies in; NULL: none.
static const char *find_symbol(const struct image *image, const Elf64_Ehdr *head,
                               const Elf64_Shdr *table, uint64_t offset) {
    const Elf64_Shdr *names = section_of(image, head, table->sh_link);
    const Elf64_Sym *list = part_of(image, table->sh_offset, table->sh_size);
    const char *text = names ? part_of(image, names->sh_offset, names->sh_size) : NULL;
    for (size_t i = 0; list && text && i < table->sh_size / sizeof *list; i++) {
        const Elf64_Sym *s = &list[i];
        if (ELF64_ST_TYPE(s->st_info) == STT_FUNC && offset >= s->st_value &&
            offset - s->st_value < s->st_size && s->st_name < names->sh_size)
            return text + s->st_name;
    }
    return NULL;
}

static const char *name_of(const struct image *image, uint64_t offset) {
    const Elf64_Ehdr *head = part_of(image, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *table = section_of(image, head, i);
        if (table && table->sh_type == SHT_SYMTAB)
            return find_symbol(image, head, table, offset);
    }
    return NULL;
}

static struct image image_open(void) {
    struct image image = {.bytes = NULL};
    struct stat info;
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED)
            image = (struct image){.bytes = bytes, .size = (size_t)info.st_size};
    }
    if (fd >= 0)
        close(fd);
    return image;
}

// "FILE(NAME+OFFSET) [ADDRESS]" as "NAME+OFFSET in FILE".
static void tell_frame(struct buf *out, const struct image *image, int number, const char *line) {
    char file[1024] = "", name[1024] = "";
    unsigned long long offset = 0;
    const char *open = strchr(line, '('), *plus = open ? strrchr(open, '+') : NULL;
    const char *own = NULL;
    if (!plus || sscanf(plus + 1, "%llx", &offset) != 1) {
        buf_format(out, "  #%d %s\n", number, line);
        return;
    }
    snprintf(file, sizeof file, "%.*s", (int)(open - line), line);
    snprintf(name, sizeof name, "%.*s", (int)(plus - open - 1), open + 1);
    const char *slash = strrchr(file, '/');
    char *self = realpath("/proc/self/exe", NULL);
    char *that = realpath(file, NULL);
    if (!*name && self && that && strcmp(self, that) == 0)
        own = name_of(image, offset);
    free(self);
    free(that);
    buf_format(out, "  #%d %.*s%s0x%llx in %s\n", number, NAME_SHOWN, own ? own : name,
               own     ? " at "
               : *name ? "+"
                       : "",
               offset, slash ? slash + 1 : file);
}

void crash_tell(struct buf *out, const char *trace, size_t length) {
    struct cause cause;
    struct image image = image_open();
    if (length < sizeof cause) {
        if (image.bytes)
            munmap((void *)image.bytes, image.size);
        return;
    }
    memcpy(&cause, trace, sizeof cause);
    if (cause.code <= 0 && cause.sender > 0)
        buf_format(out, "  the signal was sent by process %d\n", (int)cause.sender);
    else if (cause.code > 0)
        buf_format(out, "  at the address 0x%llx\n", (unsigned long long)cause.address);
    char *text = mem_new(1, length - sizeof cause + 1);
    memcpy(text, trace + sizeof cause, length - sizeof cause);
    int number = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
        if (*line)
            tell_frame(out, &image, number++, line);
    free(text);
    if (image.bytes)
        munmap((void *)image.bytes, image.size);
}
