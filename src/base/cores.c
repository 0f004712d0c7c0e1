// SPDX-License-Identifier: MIT
#include "base/cores.h"

#include "base/path.h"

#include <assert.h>
#include <sched.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

void cores_pin(int job, int cores) {
    assert(job >= 0 && cores >= 1);
    cpu_set_t available, chosen;
    CPU_ZERO(&chosen);
    if (sched_getaffinity(0, sizeof available, &available) != 0)
        return;
    const int count = CPU_COUNT(&available);
    if (cores >= count)
        return;
    for (int k = 0; k < cores; k++) {
        int skip = (job * cores + k) % count;
        size_t core = 0;
        while (!CPU_ISSET(core, &available) || skip-- > 0)
            core++;
        CPU_SET(core, &chosen);
    }
    sched_setaffinity(0, sizeof chosen, &chosen);
}

// Where the kernel shares a core out by sessions first, ours steps back too, unless others are in
// it.
void cores_go_idle(void) {
    setpriority(PRIO_PROCESS, 0, 19);
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){.sched_priority = 0});
    if (getsid(0) != getsid(getppid()))
        path_write_text("/proc/self/autogroup", "19");
}
