// SPDX-License-Identifier: Apache-2.0
// The table of hot loops (micro_table.h) for the processor that this runs on.
#ifndef KERNELS_CPU_MICRO_MICRO_H_
#define KERNELS_CPU_MICRO_MICRO_H_

#include "core/base/cpu_path.h"
#include "kernels-cpu/micro/micro_table.h"

// The table of lite_cpu_level().
const LiteMicro* lite_micro(void);

// The table of an instruction set; NULL when this processor or build has no such table.
const LiteMicro* lite_micro_level(LiteCpuPath level);

#endif
