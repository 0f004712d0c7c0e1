// SPDX-License-Identifier: MIT
// Looks every now and then, by the CPU time that this process has used, whether the rules of a
// folder still are within the same call; if so for too long, they have failed.
#pragma once

#include "folder/native.h"

// From now on, in this process and its children.
void watchdog_watch(struct native *native);
