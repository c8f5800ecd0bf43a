// SPDX-License-Identifier: Apache-2.0
// Threads on the CPU: one range, one body, one pool of workers for the process.
#ifndef CORE_BASE_PARALLEL_H_
#define CORE_BASE_PARALLEL_H_

#include <stdint.h>

// Threads of a call, and parts of a range, at most.
enum { LITE_MAX_PARTS = 256 };

// Processes [begin, end) of a range. Called at the same time from several threads with disjoint parts;
// `thread` is in [0, num_threads) and different for bodies that run at the same time.
typedef void (*LiteRangeBody)(void* argument, int64_t begin, int64_t end, int thread);

// Calls body on contiguous parts of [0, count), at most one per thread, none smaller than `grain` (>= 1)
// elements except the last; returns when all are done. The split depends only on the arguments: same bits
// every time. num_threads < 1 counts as 1, more than LITE_MAX_PARTS as that. A call from within a body, or
// while another thread's call runs, does all parts on its own thread.
//
// In an inference that can be cancelled, body is called for pieces of its part, one after the other, and no
// more once lite_cancelled: work is then missing, which whatever comes next on the thread has to bear.
void lite_parallel_for(int num_threads, int64_t count, int64_t grain, LiteRangeBody body, void* argument);

// The same for `count` items of some microseconds each, handed out one at a time: every thread does its own
// contiguous part in order, and then what others have left. So threads finish together, whatever else the
// processors do; which thread did an item depends on that too. A thread that has done all that it will do
// calls body once more, with an empty range, also when the inference is cancelled.
void lite_parallel_share(int num_threads, int64_t count, LiteRangeBody body, void* argument);

// Around an inference that a thread of the program runs. While as many run as there are processors, each
// stays on its own thread, whatever num_threads is: parts would only wait for each other.
void lite_parallel_enter(void);
void lite_parallel_leave(void);

// Processors this process may run on, at least 1.
int lite_processor_count(void);

#endif
