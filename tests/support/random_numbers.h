// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same each time, whatever the C library.
#ifndef TESTS_SUPPORT_RANDOM_NUMBERS_H_
#define TESTS_SUPPORT_RANDOM_NUMBERS_H_

#include <stdint.h>

extern uint32_t random_seed; // 1 at first; tests may set it

uint32_t random_next(void);        // of 24 bits
int random_int(int low, int high); // both included
int random_below(int limit);

#endif
