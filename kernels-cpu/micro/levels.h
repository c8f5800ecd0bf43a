// SPDX-License-Identifier: Apache-2.0
// The tables that micro_tmpl.h makes, one file each.
#ifndef KERNELS_CPU_MICRO_LEVELS_H_
#define KERNELS_CPU_MICRO_LEVELS_H_

#include "kernels-cpu/micro/micro.h"

extern const LiteMicro lite_micro_vec128; // vectors of 16 bytes, for every processor
#ifdef LITE_MICRO_X86
extern const LiteMicro lite_micro_avx2;
extern const LiteMicro lite_micro_avxvnni;
extern const LiteMicro lite_micro_avx512;
extern const LiteMicro lite_micro_avx512vnni;
#endif
#ifdef LITE_MICRO_AMX
extern const LiteMicro lite_micro_avx512amx;
// What is different in it.
void lite_micro_gemm_amx(const LiteByteRows* rows, int32_t* c);
void lite_micro_release_amx(void);
#endif

#endif
