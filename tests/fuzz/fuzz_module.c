// SPDX-License-Identifier: MIT
// Input: a module of WebAssembly as strangers write it. It is refused in words, or passes; then it
// passes again as it is, and holds no name that would be more than a word in C.
#include "folder/module.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct buf plain = {.data = NULL}, again = {.data = NULL};
    struct err err = {.set = false};
    if (module_read(data, size, &plain, &err)) {
        assert(!err.set && plain.length <= size);
        assert(module_read(plain.data, plain.length, &again, &err));
        assert(again.length == plain.length && memcmp(again.data, plain.data, again.length) == 0);
    } else {
        assert(err.set && *err.text);
    }
    buf_done(&plain);
    buf_done(&again);
    return 0;
}
