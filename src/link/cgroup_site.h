// SPDX-License-Identifier: MIT
// What the two files of control groups share.
#pragma once

// How the names of our groups begin; a process number and a count follow.
#define CGROUP_PREFIX "arbiter-"
