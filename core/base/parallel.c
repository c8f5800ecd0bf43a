// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#else
#include <unistd.h>
#endif

void lite_parallel_for(int num_threads, int64_t count, int64_t grain, LiteRangeBody body, void* argument) {
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    int64_t parts = count / grain;
    if (parts > num_threads) parts = num_threads;
    if (parts <= 1) {
        body(argument, 0, count, 0);
        return;
    }
    // The split depends on the arguments only; how many processors share the parts does not matter.
    const int64_t part = count / parts + (count % parts != 0);
    const int used = (int)((count + part - 1) / part);
#ifdef _OPENMP
#pragma omp parallel for num_threads(used < lite_processor_count() ? used : lite_processor_count())          \
    schedule(static)
#endif
    for (int i = 0; i < used; i++) {
        const int64_t begin = i * part;
        body(argument, begin, begin + part < count ? begin + part : count, i);
    }
}

int lite_processor_count(void) {
#ifdef _OPENMP
    const int count = omp_get_num_procs();
#else
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count < 1 ? 1 : (int)count;
}
