// SPDX-License-Identifier: MIT
// SQLite believes what it reads: a bit that has flipped on the disk, or in a copy, is a value like
// any other. So every page of the file ends with a checksum, in 8 bytes that SQLite leaves free
// (the header's byte 20 says so). It is made when a page is written to the file and held against
// the page whenever it is read from there; a page that does not fit is an error of reading, and
// nothing of it is shown. Frames of the write-ahead log have checksums of SQLite's own.
//
// Each step of the sum is one to one, (h ^ word) * odd, so a change within one word of 8 bytes is
// always found; others but for one of 2^64. The number of the page is in it, so a page in a wrong
// place is found too. SQLite itself never sees a sum: what it is handed has zeros there, and so
// have the frames of its log. Another program that brings our log into the file (any that has it
// open last does, even if it only reads) leaves zeros, which are no sum: such a page is taken as it
// is, and counted. One that writes of its own leaves sums that are wrong. A store is marked by its
// application id: if that is there and the free bytes are not, the header itself is damaged. Stores
// of earlier versions have neither, and are read as they are.
#include "store/sums.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER = 100,
    PAGE_MIN = 512,
    PAGE_MAX = 65536,
    AT_PAGE_SIZE = 16,
    AT_FREE = 20,
    AT_MARK = 68,
    RECOVERY_LOCK = 2, // of SQLite's shared memory; only who reads the whole log has it
};

#define MARK 0x41726269 // "Arbi"
#define TEXT_OF(number) TEXT_OF_IT(number)
#define TEXT_OF_IT(number) #number

// What is kept of an open file, behind what the system keeps of it.
struct summed {
    const sqlite3_io_methods *system; // how it does what is not ours
    sqlite3_io_methods methods;       // the same, with ours
    struct sums *sums;
    int page_size; // 0: not known yet
};

static struct summed *summed_of(const sqlite3_file *file) {
    return (struct summed *)((char *)file->pMethods - offsetof(struct summed, methods));
}

static void put_sum(const unsigned char *page, int size, int64_t number,
                    unsigned char out[static SUMS_BYTES]) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)number, word;
    for (int i = 0; i + SUMS_BYTES < size; i += SUMS_BYTES) {
        memcpy(&word, page + i, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
    }
    for (int i = 0; i < SUMS_BYTES; i++)
        out[i] = (unsigned char)(hash >> 8 * i);
}

// What the header of the file says; false if it cannot be true.
static bool read_header(struct summed *f, const unsigned char *page) {
    if (memcmp(page, "SQLite format 3", 16) != 0)
        return true; // SQLite will say so
    const int size = page[AT_PAGE_SIZE] << 8 | page[AT_PAGE_SIZE + 1];
    uint32_t mark = 0;
    for (int i = 0; i < 4; i++)
        mark = mark << 8 | page[AT_MARK + i];
    f->page_size = size == 1 ? PAGE_MAX : size;
    f->sums->on = page[AT_FREE] == SUMS_BYTES;
    return f->sums->on || mark != MARK;
}

static bool is_page(const struct summed *f, int amount, sqlite3_int64 offset) {
    return f->sums->on && amount == f->page_size && amount >= PAGE_MIN && offset % amount == 0;
}

static int damaged(struct summed *f, int64_t page) {
    f->sums->wrong = page;
    return SQLITE_IOERR_DATA;
}

static int sums_read_file(sqlite3_file *file, void *out, int amount, sqlite3_int64 offset) {
    struct summed *f = summed_of(file);
    unsigned char sum[SUMS_BYTES];
    const int code = f->system->xRead(file, out, amount, offset);
    if (code != SQLITE_OK)
        return code;
    if (offset == 0 && amount >= HEADER && !read_header(f, out))
        return damaged(f, 1);
    if (!is_page(f, amount, offset))
        return SQLITE_OK;
    static const unsigned char none[SUMS_BYTES] = {0};
    const int64_t number = offset / amount + 1;
    unsigned char *said = (unsigned char *)out + amount - SUMS_BYTES;
    put_sum(out, amount, number, sum);
    const bool bare = memcmp(said, none, SUMS_BYTES) == 0;
    f->sums->bare |= bare;
    if (!bare && memcmp(sum, said, SUMS_BYTES) != 0)
        return damaged(f, number);
    memset(said, 0, SUMS_BYTES);
    return SQLITE_OK;
}

static int sums_write_file(sqlite3_file *file, const void *bytes, int amount,
                           sqlite3_int64 offset) {
    struct summed *f = summed_of(file);
    unsigned char page[PAGE_MAX];
    if (offset == 0 && amount >= PAGE_MIN)
        read_header(f, bytes);
    if (!is_page(f, amount, offset))
        return f->system->xWrite(file, bytes, amount, offset);
    assert(amount <= PAGE_MAX);
    memcpy(page, bytes, (size_t)amount);
    put_sum(page, amount, offset / amount + 1, page + amount - SUMS_BYTES);
    return f->system->xWrite(file, page, amount, offset);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
    struct summed *f = summed_of(file);
    const int code = f->system->xShmLock(file, offset, count, flags);
    const int wanted = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE;
    if (code == SQLITE_OK && (flags & wanted) == wanted && offset <= RECOVERY_LOCK &&
        RECOVERY_LOCK < offset + count)
        f->sums->recovered = true;
    return code;
}

// Only the database itself has pages; logs and journals are the system's. Version 2: no pages
// behind our back, as memory that is mapped.
static int sums_open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                          int *out) {
    struct sums *sums = (struct sums *)vfs;
    sqlite3_vfs *system = sums->system;
    const int code = system->xOpen(system, name, file, flags, out);
    if (!(flags & SQLITE_OPEN_MAIN_DB) || !file->pMethods)
        return code;
    assert(system->szOsFile % (int)_Alignof(struct summed) == 0);
    struct summed *f = (struct summed *)((char *)file + system->szOsFile);
    *f = (struct summed){.system = file->pMethods, .methods = *file->pMethods, .sums = sums};
    f->methods.iVersion = 2;
    f->methods.xRead = sums_read_file;
    f->methods.xWrite = sums_write_file;
    f->methods.xShmLock = lock_shared;
    file->pMethods = &f->methods;
    return code;
}

bool sums_init(struct sums *sums) {
    sums->system = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(NULL) : NULL;
    if (!sums->system || sums->system->iVersion < 2)
        return false;
    snprintf(sums->name, sizeof sums->name, "sums-%p", (void *)sums);
    sums->vfs = *sums->system;
    sums->vfs.szOsFile += (int)sizeof(struct summed);
    sums->vfs.zName = sums->name;
    sums->vfs.xOpen = sums_open_file;
    return sqlite3_vfs_register(&sums->vfs, 0) == SQLITE_OK;
}

bool sums_begin(sqlite3 *handle) {
    int bytes = SUMS_BYTES;
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes) == SQLITE_OK &&
           sqlite3_exec(handle, "PRAGMA application_id = " TEXT_OF(MARK), NULL, NULL, NULL) ==
               SQLITE_OK;
}

void sums_done(struct sums *sums) {
    if (sums->vfs.zName)
        sqlite3_vfs_unregister(&sums->vfs);
}
