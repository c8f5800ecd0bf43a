// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_numbers.h"

uint32_t random_seed = 1;

uint32_t random_next(void) {
    random_seed = random_seed * 1664525u + 1013904223u;
    return random_seed >> 8;
}

int random_int(int low, int high) {
    return low + (int)(random_next() % (uint32_t)(high - low + 1));
}

int random_below(int limit) {
    return (int)(random_next() % (uint32_t)limit);
}
