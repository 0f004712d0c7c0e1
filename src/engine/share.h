// SPDX-License-Identifier: MIT
// Threads that share the parts of a job.
#pragma once

enum { THREADS_MAX = 64 };

// Does part 0 .. count - 1 of a job, each once, on so many threads; returns when all are done. A
// thread takes `batch` parts at a time.
void share_run(int threads, int count, int batch, void (*part)(void *job, int number), void *job);
// Processors that this machine has for us, at least 1.
int share_processors(void);
