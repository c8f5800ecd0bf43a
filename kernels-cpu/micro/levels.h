// SPDX-License-Identifier: Apache-2.0
// All tables, one file each: plain C, and those that micro_tmpl.h makes.
#ifndef KERNELS_CPU_MICRO_LEVELS_H_
#define KERNELS_CPU_MICRO_LEVELS_H_

#include "kernels-cpu/micro/micro_table.h"
#include "kernels-cpu/support/selected.h"

// An entry of a table for floats; NULL where there are none.
#define LITE_FLOATS(function) (LITE_HAS_TYPE(kTfLiteFloat32) ? (function) : NULL)

extern const LiteMicro lite_micro_reference;
#define CPU_PATH(Name, name) extern const LiteMicro lite_micro_##name;
#include "core/cpu_paths.def"

// What is different in lite_micro_avx512amx.
void lite_micro_gemm_amx(const LiteIntRows* rows, int32_t* c);
void lite_micro_gemm_x3(const LiteX3Tiles* tiles);
void lite_micro_x3_rows(const LiteX3Rows* rows);
void lite_micro_x3_weights(LiteX3Weights* weights);

#endif
