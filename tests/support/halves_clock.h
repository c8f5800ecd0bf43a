// SPDX-License-Identifier: Apache-2.0
// In place of the clock and of the device's offer, where the delegate measures what halves bring
// (delegate-opencl/partition/halves.h). For programs that are linked with
// -Wl,--wrap=lite_cl_time_inferences,--wrap=lite_cl_device_has.
#ifndef TESTS_SUPPORT_HALVES_CLOCK_H_
#define TESTS_SUPPORT_HALVES_CLOCK_H_

#include <stdbool.h>

typedef struct HalvesClock {
    bool is_real; // the times are those that are measured
    bool is_slow; // each node with halves makes a plan take half as long again; otherwise a twentieth less
    bool offers;  // the device has cl_khr_fp16
    int asked;    // how often times were asked for
} HalvesClock;

extern HalvesClock halves_clock;

#endif
