// SPDX-License-Identifier: MIT
#include "base/library.h"

#include <assert.h>
#include <dlfcn.h>
#include <string.h>

bool library_load(struct library *l, struct err *err) {
    assert(l->file && l->functions && l->count > 0);
    if (l->loaded)
        return true;
    void *handle = dlopen(l->file, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return err_set(err, "cannot load %.60s: %.200s; install what it belongs to", l->file,
                       dlerror());
    for (int i = 0; i < l->count; i++) {
        void *function = dlsym(handle, l->names[i]);
        if (!function)
            return err_set(err, "%.60s has no %.60s: it is too old", l->file, l->names[i]);
        memcpy((char *)l->functions + (size_t)i * sizeof function, &function, sizeof function);
    }
    l->loaded = true;
    return true;
}
