// SPDX-License-Identifier: Apache-2.0
// What tests of the micro kernels share: each instruction set beside plain C, on random data.
#ifndef TESTS_SUPPORT_MICRO_CASE_H_
#define TESTS_SUPPORT_MICRO_CASE_H_

#include <stddef.h>
#include <stdint.h>

#include "kernels-cpu/micro/micro.h"

enum { kMicroTail = 12345 }; // stands behind outputs, where nothing may be written

// Calls `test` for each level that this processor has; random numbers start anew each time.
void micro_for_levels(void (*test)(const LiteMicro* plain, const LiteMicro* micro));

// static void NAME_level(const LiteMicro* plain, const LiteMicro* micro) as the test
// NAME_is_the_same_everywhere.
#define MICRO_LEVEL_TEST(NAME)                                                                               \
    static void NAME##_is_the_same_everywhere(void** state) {                                                \
        (void)state;                                                                                         \
        micro_for_levels(NAME##_level);                                                                      \
    }

void micro_fill_f32(float* to, int count); // -1 to 1
void micro_fill_bytes(void* to, size_t bytes);
void micro_expect_near(float got, float want);

// The byte that a sum of this column becomes, from the definition.
uint8_t micro_scaled_byte(const LiteRequantization* q, int32_t sum, int column);

#endif
