// SPDX-License-Identifier: MIT
// Which cores a process runs on.
#pragma once

// Keeps this process and its children on the cores of a job, where there are more: those of job 0,
// then of job 1, and around.
void cores_pin(int job, int cores);
// Puts this process and its children behind all others in the queue for a core, for good.
void cores_go_idle(void);
