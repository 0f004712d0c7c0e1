// SPDX-License-Identifier: MIT
// Players are written in any language, so all is allowed that is not named here. What is named
// would reach out of the box, or has no place in a game and a history of holes in the kernel. The
// namespaces refuse most of it already; where there are none, the filter is all there is.
//
// clone3 is answered as by an old kernel: its flags lie in memory where no filter can look, and the
// C libraries then use clone.
#include "sandbox/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static const int refused[] = {
    // other processes
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(process_madvise),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    // mounts and namespaces
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    // the machine
    SCMP_SYS(reboot),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(syslog),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(vhangup),
    // parts of the kernel that no game needs
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(lookup_dcookie),
};

// Memory that belongs to no process, and that only a control group can count.
static const int uncounted[] = {
    SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret), SCMP_SYS(shmget),
    SCMP_SYS(msgget),       SCMP_SYS(mq_open),
};

// What outlives a player without walls: nobody would remove it.
static const int lasting[] = {SCMP_SYS(shmget), SCMP_SYS(msgget), SCMP_SYS(semget),
                              SCMP_SYS(mq_open)};

// Words typed for somebody else at a terminal, or at the console.
static const int typing[] = {TIOCSTI, TIOCLINUX};

// Listening. A local socket that listens does no harm, and wine needs one; an internet socket can
// be had only where the player connects by one, and behind walls it is in a network of its own.
static const int listening[] = {SCMP_SYS(bind), SCMP_SYS(listen)};

// A new process is a clone without these; both must be there for a thread.
static const int forks[] = {SCMP_SYS(fork), SCMP_SYS(vfork)};

static bool refuse_all(scmp_filter_ctx ctx, const int *calls, size_t count) {
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), calls[i], 0) == 0;
    return good;
}

#define REFUSE_ALL(ctx, calls) refuse_all(ctx, calls, sizeof(calls) / sizeof *(calls))

static bool refuse_if(scmp_filter_ctx ctx, int call, struct scmp_arg_cmp when) {
    return seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), call, 1, when) == 0;
}

// Sockets: local ones, and IPv4 where the judge is reached by it.
static bool refuse_sockets(scmp_filter_ctx ctx, const struct filter *f) {
    bool good = refuse_if(ctx, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_GT, AF_INET, 0));
    good &= refuse_if(ctx, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_LT, AF_UNIX, 0));
    if (!f->internet)
        good &= refuse_if(ctx, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_INET, 0));
    else if (!f->walled)
        good &= REFUSE_ALL(ctx, listening);
    return good;
}

static bool refuse_new_namespaces(scmp_filter_ctx ctx) {
    static const unsigned long flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                          CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    bool good = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        good &= refuse_if(ctx, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
    return good;
}

static bool refuse_forks(scmp_filter_ctx ctx) {
    return REFUSE_ALL(ctx, forks) &&
           refuse_if(ctx, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
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

static bool refuse_aim(scmp_filter_ctx ctx, int call, unsigned argument, int pid) {
    const struct scmp_arg_cmp it =
        SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)pid);
    return refuse_if(ctx, call, it);
}

// Calls that name a thread, which may be one of theirs, and ways to have a signal sent when there
// is something to read.
static bool refuse_detours(scmp_filter_ctx ctx) {
    static const int owners[] = {F_SETOWN, F_SETOWN_EX};
    static const int requests[] = {FIOSETOWN, SIOCSPGRP};
    static const int calls[] = {SCMP_SYS(pidfd_send_signal), SCMP_SYS(tkill)};
    bool good = REFUSE_ALL(ctx, calls);
    for (int i = 0; i < 2; i++)
        good &= refuse_if(ctx, SCMP_SYS(fcntl),
                          SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)owners[i])) &&
                refuse_if(ctx, SCMP_SYS(ioctl),
                          SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)requests[i]));
    return good;
}

// Those above us, and their groups, hear nothing; nor do all at once.
static bool refuse_aims(scmp_filter_ctx ctx, const struct filter *f) {
    bool good = true;
    for (int i = 0; i < f->guarded_count; i++)
        for (size_t k = 0; k < sizeof aimed / sizeof *aimed; k++)
            good &= refuse_aim(ctx, aimed[k].call, aimed[k].argument, f->guarded[i]);
    for (int i = 0; i < f->guarded_count; i++)
        good &= refuse_aim(ctx, SCMP_SYS(kill), 0, -f->guarded[i]);
    if (f->guarded_count > 0)
        good &= refuse_aim(ctx, SCMP_SYS(kill), 0, -1) && refuse_detours(ctx);
    return good;
}

static bool refuse_typing(scmp_filter_ctx ctx) {
    bool good = true;
    for (size_t i = 0; i < sizeof typing / sizeof *typing; i++)
        good &= refuse_if(ctx, SCMP_SYS(ioctl),
                          SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)typing[i]));
    return good;
}

bool filter_load(const struct filter *f) {
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    bool good = ctx && REFUSE_ALL(ctx, refused) && refuse_sockets(ctx, f) &&
                refuse_new_namespaces(ctx) && refuse_typing(ctx) &&
                (f->counted || REFUSE_ALL(ctx, uncounted)) &&
                (f->walled || REFUSE_ALL(ctx, lasting)) && (!f->alone || refuse_forks(ctx)) &&
                refuse_aims(ctx, f);
    if (!good)
        errno = EINVAL;
    if (good) {
        const int error = seccomp_load(ctx);
        errno = -error;
        good = error == 0;
    }
    if (ctx)
        seccomp_release(ctx);
    return good;
}
