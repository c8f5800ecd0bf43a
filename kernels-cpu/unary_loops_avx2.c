// SPDX-License-Identifier: Apache-2.0
#define LOOP_TABLE lite_unary_loop_avx2
#include "kernels-cpu/unary_loops_tmpl.h"
