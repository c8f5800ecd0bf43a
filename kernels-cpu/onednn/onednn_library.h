// SPDX-License-Identifier: Apache-2.0
// oneDNN as a table of functions, opened at run time: it is large and brings OpenMP and an OpenCL loader with
// it, which a program that only runs small models must not need.
#ifndef KERNELS_CPU_ONEDNN_ONEDNN_LIBRARY_H_
#define KERNELS_CPU_ONEDNN_ONEDNN_LIBRARY_H_

#include <oneapi/dnnl/dnnl.h>

typedef struct LiteOnednnLibrary {
#define DNNL_FUNCTION(name) __typeof__(name)* name;
#include "kernels-cpu/onednn/onednn.def"
    int (*omp_get_max_threads)(void);
    void (*omp_set_num_threads)(int threads);
    dnnl_engine_t engine; // the processor
} LiteOnednnLibrary;

// The process's table; the library is opened by the first call and stays open. NULL when there is none, or an
// older one than this was built for. Thread safe.
const LiteOnednnLibrary* lite_onednn_library(void);

// Between these two the calling thread creates and runs oneDNN's primitives alone: the threads are ours, and
// OpenMP's own would fight with them for the processors. What the program has set for OpenMP is as before
// afterwards: pass what enter returned.
int lite_onednn_enter(const LiteOnednnLibrary* library);
void lite_onednn_leave(const LiteOnednnLibrary* library, int threads);

#endif
