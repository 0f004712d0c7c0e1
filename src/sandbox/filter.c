// SPDX-License-Identifier: MIT
// A call is allowed if it is on the list (calls.c), unless one of the rules below says otherwise:
// the first that fits a call and its arguments decides. Arguments are compared in their lower half,
// as the kernel takes those of all calls that have rules.
//
// List and rules become a program for the kernel: the rules call by call, then the list as ranges
// of numbers. Kernels since 5.11 keep by themselves which calls are always allowed and do not even
// run it for them. libseccomp has the numbers and names; to put such a list together it would take
// two milliseconds of every start.
//
// A call of another architecture than ours (of 32 bits) ends the player: its numbers mean others.
//
// clone3 is answered as by an old kernel: its flags lie in memory where no filter can look, and the
// C libraries then use clone.
//
// Locks. Two players read the same files of the system, and both can write to /dev/null, so what
// one locks the other can feel; and without walls see in /proc/locks, shared locks too. Wine cannot
// do without those of fcntl.
#include "sandbox/filter.h"

#include "sandbox/calls.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    RULES_MAX = 1024,
    CODE_MAX = 4096,
    NUMBERS = 1024,       // of calls, at most
    X32_BIT = 0x40000000, // another way to call on x86-64, with numbers from here
    SOCKET_TYPE = 0xf,    // the bits of a socket's type that are no flags
};

#define WHOLE UINT32_MAX // the mask of a rule that compares all bits

struct filter_rule {
    int call;
    unsigned argument;
    uint32_t mask, value; // of the argument
    int error;            // 0: allowed
};

struct rules {
    struct filter_rule list[RULES_MAX];
    int count;
};

static void add(struct rules *r, struct filter_rule rule) {
    assert(r->count < RULES_MAX);
    if (rule.call >= 0) // this machine has it
        r->list[r->count++] = rule;
}

static void refuse(struct rules *r, int call, int error) {
    add(r, (struct filter_rule){.call = call, .error = error});
}

static void refuse_all(struct rules *r, const int *calls, size_t count, int error) {
    for (size_t i = 0; i < count; i++)
        refuse(r, calls[i], error);
}

#define REFUSE_ALL(rules, calls, error)                                                            \
    refuse_all(rules, calls, sizeof(calls) / sizeof *(calls), error)

// Memory that belongs to no process, and that only a control group can count.
static const int uncounted[] = {SCMP_SYS(memfd_create), SCMP_SYS(shmget), SCMP_SYS(msgget),
                                SCMP_SYS(mq_open)};

// Listening, and names that others can see. Behind walls sockets are in a network of their own, and
// wine needs a local one that listens.
static const int listening[] = {SCMP_SYS(bind), SCMP_SYS(listen)};

static const int forks[] = {SCMP_SYS(fork), SCMP_SYS(vfork)};

// What is refused to all, by a word among the arguments.
static const struct filter_rule always[] = {
    // words typed for somebody else at a terminal, or at the console
    {SCMP_SYS(ioctl), 1, WHOLE, TIOCSTI, EPERM},
    {SCMP_SYS(ioctl), 1, WHOLE, TIOCLINUX, EPERM},
    // pages of files thrown out of memory that others read: they would notice
    {SCMP_SYS(fadvise64), 3, WHOLE, POSIX_FADV_DONTNEED, EPERM},
    // devices; named pipes are files like others
    {SCMP_SYS(mknod), 1, S_IFMT, S_IFIFO, 0},
    {SCMP_SYS(mknod), 0, 0, 0, EPERM},
    {SCMP_SYS(mknodat), 2, S_IFMT, S_IFIFO, 0},
    {SCMP_SYS(mknodat), 0, 0, 0, EPERM},
    // other systems' ways; some languages want memory at the same place in every run
    {SCMP_SYS(personality), 0, WHOLE, WHOLE, 0},
    {SCMP_SYS(personality), 0, WHOLE, PER_LINUX, 0},
    {SCMP_SYS(personality), 0, WHOLE, ADDR_NO_RANDOMIZE, 0},
    {SCMP_SYS(personality), 0, 0, 0, EPERM},
    // namespaces of its own
    {SCMP_SYS(clone3), 0, 0, 0, ENOSYS},
    {SCMP_SYS(clone), 0, CLONE_NEWUSER, CLONE_NEWUSER, EPERM},
    {SCMP_SYS(clone), 0, CLONE_NEWNS, CLONE_NEWNS, EPERM},
    {SCMP_SYS(clone), 0, CLONE_NEWPID, CLONE_NEWPID, EPERM},
    {SCMP_SYS(clone), 0, CLONE_NEWNET, CLONE_NEWNET, EPERM},
    {SCMP_SYS(clone), 0, CLONE_NEWIPC, CLONE_NEWIPC, EPERM},
    {SCMP_SYS(clone), 0, CLONE_NEWUTS, CLONE_NEWUTS, EPERM},
    {SCMP_SYS(clone), 0, CLONE_NEWCGROUP, CLONE_NEWCGROUP, EPERM},
    // word of what others do to files
    {SCMP_SYS(fcntl), 1, WHOLE, F_SETLEASE, EPERM},
    {SCMP_SYS(fcntl), 1, WHOLE, F_NOTIFY, EPERM},
};

// Locks, and what tells of them. These errors are what a file system without locks
// answers; cargo and go then do without.
static const struct filter_rule locking[] = {
    {SCMP_SYS(flock), 0, 0, 0, ENOSYS},
    {SCMP_SYS(fcntl), 1, WHOLE, F_GETLK, ENOLCK},
    {SCMP_SYS(fcntl), 1, WHOLE, F_SETLK, ENOLCK},
    {SCMP_SYS(fcntl), 1, WHOLE, F_SETLKW, ENOLCK},
    {SCMP_SYS(fcntl), 1, WHOLE, F_OFD_GETLK, ENOLCK},
    {SCMP_SYS(fcntl), 1, WHOLE, F_OFD_SETLK, ENOLCK},
    {SCMP_SYS(fcntl), 1, WHOLE, F_OFD_SETLKW, ENOLCK},
};

enum { WINE_LOCKING = 2 }; // how many of them hold for wine too

static void add_table(struct rules *r, const struct filter_rule *table, size_t count) {
    for (size_t i = 0; i < count; i++)
        add(r, table[i]);
}

// Refuses an argument that has any of these bits.
static void refuse_bits(struct rules *r, int call, unsigned argument, uint32_t bits) {
    for (uint32_t bit = 1; bit; bit <<= 1)
        if (bits & bit)
            add(r, (struct filter_rule){call, argument, bit, bit, EPERM});
}

// Pairs of local sockets. Without walls they are streams: these stay connected to each other
// whatever is asked, while an end of any other kind can send to a path, or be connected to one.
static void add_pairs(struct rules *r, bool any) {
    if (!any)
        refuse_bits(r, SCMP_SYS(socketpair), 1, SOCKET_TYPE & ~(uint32_t)SOCK_STREAM);
    add(r, (struct filter_rule){SCMP_SYS(socketpair), 0, WHOLE, AF_UNIX, 0});
    refuse(r, SCMP_SYS(socketpair), EPERM);
}

// Local sockets where no path leads out: behind walls, and for wine. IPv4 where the judge is
// reached by it; without walls by plain TCP alone, which the fence holds: nothing has to listen to
// hear a datagram, and other protocols of streams are not held.
static void add_sockets(struct rules *r, const struct filter *f) {
    const bool local = f->walled || f->wine;
    if (f->internet && !f->walled) {
        refuse_bits(r, SCMP_SYS(socket), 1, SOCKET_TYPE & ~(uint32_t)SOCK_STREAM);
        refuse_bits(r, SCMP_SYS(socket), 2, ~(uint32_t)IPPROTO_TCP);
    }
    if (!local || (f->internet && !f->walled))
        REFUSE_ALL(r, listening, EPERM);
    if (local)
        add(r, (struct filter_rule){SCMP_SYS(socket), 0, WHOLE, AF_UNIX, 0});
    if (f->internet)
        add(r, (struct filter_rule){SCMP_SYS(socket), 0, WHOLE, AF_INET, 0});
    refuse(r, SCMP_SYS(socket), EPERM);
    add_pairs(r, local);
}

// A new process is a clone that is no thread.
static void add_forks(struct rules *r) {
    REFUSE_ALL(r, forks, EPERM);
    add(r, (struct filter_rule){SCMP_SYS(clone), 0, CLONE_THREAD, 0, EPERM});
}

// Calls that do something to a process, with the argument that names it.
static const struct {
    int call;
    unsigned argument;
} aimed[] = {
    {SCMP_SYS(kill), 0},
    {SCMP_SYS(tgkill), 0},
    {SCMP_SYS(rt_sigqueueinfo), 0},
    {SCMP_SYS(rt_tgsigqueueinfo), 0},
    {SCMP_SYS(pidfd_open), 0},
    {SCMP_SYS(prlimit64), 0},
    {SCMP_SYS(sched_setscheduler), 0},
    {SCMP_SYS(sched_setparam), 0},
    {SCMP_SYS(sched_setattr), 0},
    {SCMP_SYS(setpriority), 1},
};

// Calls that name a thread, which may be one of theirs, and ways to have a signal sent when there
// is something to read.
static const struct filter_rule detours[] = {
    {SCMP_SYS(pidfd_send_signal), 0, 0, 0, EPERM}, {SCMP_SYS(tkill), 0, 0, 0, EPERM},
    {SCMP_SYS(fcntl), 1, WHOLE, F_SETOWN, EPERM},  {SCMP_SYS(fcntl), 1, WHOLE, F_SETOWN_EX, EPERM},
    {SCMP_SYS(ioctl), 1, WHOLE, FIOSETOWN, EPERM}, {SCMP_SYS(ioctl), 1, WHOLE, SIOCSPGRP, EPERM},
};

static void guard(struct rules *r, int call, unsigned argument, int pid) {
    add(r, (struct filter_rule){call, argument, WHOLE, (uint32_t)pid, EPERM});
}

// Those above us, and their groups, hear nothing; nor do all at once.
static void add_guards(struct rules *r, const struct filter *f) {
    for (int i = 0; i < f->guarded_count; i++) {
        for (size_t k = 0; k < sizeof aimed / sizeof *aimed; k++)
            guard(r, aimed[k].call, aimed[k].argument, f->guarded[i]);
        guard(r, SCMP_SYS(kill), 0, -f->guarded[i]);
    }
    if (f->guarded_count == 0)
        return;
    guard(r, SCMP_SYS(kill), 0, -1);
    add_table(r, detours, sizeof detours / sizeof *detours);
}

static void make_rules(struct rules *r, const struct filter *f) {
    const size_t all_locks = sizeof locking / sizeof *locking;
    r->count = 0;
    add_table(r, always, sizeof always / sizeof *always);
    if (!f->locks)
        add_table(r, locking, f->wine ? WINE_LOCKING : all_locks);
    if (!f->counted)
        REFUSE_ALL(r, uncounted, ENOSYS);
    if (f->alone)
        add_forks(r);
    add_sockets(r, f);
    add_guards(r, f);
    refuse_all(r, calls_denied.list, calls_denied.count, EPERM);
}

static void mark(bool listed[static NUMBERS], const struct calls *calls) {
    for (size_t i = 0; i < calls->count; i++)
        if (calls->list[i] >= 0 && calls->list[i] < NUMBERS)
            listed[calls->list[i]] = true;
}

static void make_list(bool listed[static NUMBERS], const struct filter *f) {
    mark(listed, &calls_common);
    if (f->wine)
        mark(listed, &calls_wine);
    if (f->walled)
        mark(listed, &calls_walled);
}

int filter_answer(const struct filter *f, const struct seccomp_data *call) {
    struct rules rules;
    bool listed[NUMBERS] = {false};
    make_rules(&rules, f);
    make_list(listed, f);
    for (int i = 0; i < rules.count; i++) {
        const struct filter_rule *rule = &rules.list[i];
        if (rule->call == call->nr &&
            ((uint32_t)call->args[rule->argument] & rule->mask) == rule->value)
            return rule->error;
    }
    return call->nr >= 0 && call->nr < NUMBERS && listed[call->nr] ? 0 : ENOSYS;
}

// The program for the kernel, which looks at a struct seccomp_data.
struct code {
    struct sock_filter list[CODE_MAX];
    unsigned short count;
    bool asking; // whether what is refused waits for an answer
};

static void put(struct code *c, struct sock_filter step) {
    assert(c->count < CODE_MAX);
    c->list[c->count++] = step;
}

static void load_word(struct code *c, size_t offset) {
    put(c, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void end_with(struct code *c, uint32_t what) {
    put(c, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

// An error of 0 is none.
static void answer(struct code *c, int call, int error) {
    const bool told = c->asking && call != SCMP_SYS(clone3); // which is nobody's fault
    end_with(c, error == 0 ? SECCOMP_RET_ALLOW
                : told     ? SECCOMP_RET_USER_NOTIF
                           : SECCOMP_RET_ERRNO | (uint32_t)error);
}

// All rules of one call, and what holds if none fits.
static void put_call(struct code *c, const struct rules *r, int call, bool listed) {
    put(c, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 1, 0));
    const unsigned short past = c->count;
    put(c, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0)); // past this block, set below
    for (int i = 0; i < r->count; i++) {
        const struct filter_rule *rule = &r->list[i];
        if (rule->call != call)
            continue;
        load_word(c, offsetof(struct seccomp_data, args) + 8 * rule->argument);
        put(c, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule->mask));
        put(c, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule->value, 0, 1));
        answer(c, call, rule->error);
    }
    answer(c, call, listed ? 0 : ENOSYS);
    c->list[past].k = (uint32_t)(c->count - past - 1);
}

// The list, as ranges of numbers in ascending order.
static void put_list(struct code *c, const bool listed[static NUMBERS]) {
    for (int from = 0; from < NUMBERS; from++) {
        if (!listed[from])
            continue;
        int to = from;
        while (to + 1 < NUMBERS && listed[to + 1])
            to++;
        put(c, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)from, 0, 2));
        put(c, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)to, 1, 0));
        end_with(c, SECCOMP_RET_ALLOW);
        from = to;
    }
    answer(c, -1, ENOSYS);
}

static void make_code(struct code *c, const struct filter *f) {
    struct rules rules;
    bool listed[NUMBERS] = {false}, ruled[NUMBERS] = {false};
    make_rules(&rules, f);
    make_list(listed, f);
    load_word(c, offsetof(struct seccomp_data, arch));
    put(c, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, seccomp_arch_native(), 1, 0));
    end_with(c, SECCOMP_RET_KILL_PROCESS);
    load_word(c, offsetof(struct seccomp_data, nr));
    put(c, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1));
    answer(c, -1, ENOSYS);
    for (int i = 0; i < rules.count; i++) {
        const int call = rules.list[i].call;
        if (!ruled[call])
            put_call(c, &rules, call, listed[call]);
        ruled[call] = true;
    }
    put_list(c, listed);
}

static int load(const struct filter *f, bool asking) {
    struct code code = {.asking = asking};
    make_code(&code, f);
    const struct sock_fprog program = {.len = code.count, .filter = code.list};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                        asking ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0, &program);
}

bool filter_load(const struct filter *f) { return load(f, false) == 0; }

int filter_load_asking(const struct filter *f) { return load(f, true); }
