// SPDX-License-Identifier: Apache-2.0
// Kernels that go along one axis. One item: one row of `length` elements, `inner` apart.
#include "kernels-cl/args/rows.h"

#define ROW_BEGIN                                                                                            \
    const int row = get_global_id(0);                                                                        \
    if (row >= a.outer * a.inner) return;                                                                    \
    const int base = row / a.inner * a.length * a.inner + row % a.inner;
#define AT(k) (base + (k)*a.inner)
