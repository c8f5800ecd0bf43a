// SPDX-License-Identifier: Apache-2.0
// Which code computes on the CPU: an instruction set, or a library. The process has one choice; kernels ask
// for it when they prepare a node or run it.
#ifndef CORE_BASE_CPU_PATH_H_
#define CORE_BASE_CPU_PATH_H_

#include <stdbool.h>

typedef enum LiteCpuPath {
    kLiteCpuAuto,      // for each node what is fastest: the best instruction set, or a library
    kLiteCpuReference, // plain C
    kLiteCpuVec128,    // vectors of 16 bytes, for every processor
    kLiteCpuAvx2,
    kLiteCpuAvxVnni, // AVX2 with products of bytes
    kLiteCpuAvx512,
    kLiteCpuAvx512Vnni,
    kLiteCpuAvx512Amx,
    kLiteCpuOneDnn, // oneDNN wherever it can compute a node, elsewhere the best instruction set
    kLiteCpuPaths   // how many there are
} LiteCpuPath;

// The name that programs use; NULL when there is no such path.
const char* lite_cpu_path_name(LiteCpuPath path);

// The path of that name; kLiteCpuPaths when there is none.
LiteCpuPath lite_cpu_path_find(const char* name);

// Whether this processor and this build have it.
bool lite_cpu_path_available(LiteCpuPath path);

// false, and nothing changes, when it is not available.
bool lite_cpu_path_choose(LiteCpuPath path);

// The chosen path, at first kLiteCpuAuto.
LiteCpuPath lite_cpu_path(void);

// Whether the chosen path is for comparisons: there each node is on its own, and computed in the plainest
// way.
bool lite_cpu_path_compares(void);

// The instruction set to use, from kLiteCpuReference to kLiteCpuAvx512Amx: the chosen one, else the best.
LiteCpuPath lite_cpu_level(void);

// The processor's own name for itself, "AMD EPYC 7B13"; "" where it has none.
enum { LITE_CPU_NAME = 49 };
void lite_cpu_name(char name[LITE_CPU_NAME]);

#endif
