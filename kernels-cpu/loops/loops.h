// SPDX-License-Identifier: Apache-2.0
// Files of loops that are compiled once for every processor and, for x86-64, again for AVX2 and AVX-512
// (CMakeLists.txt has their list). Each exports one function that returns pointers to its loops:
//
//     LITE_EXPORT_LOOPS(Loop, lite_some_loop, (TfLiteType type), (type)) {
//         return type == kTfLiteFloat32 ? loop_f32 : NULL;
//     }
//
// defines lite_some_loop(type), which answers for the chosen instruction set. All are the same code with the
// same results, but for functions of vector_math.h: none sums in another order or contracts a * b + c by
// itself.
#ifndef KERNELS_CPU_LOOPS_LOOPS_H_
#define KERNELS_CPU_LOOPS_LOOPS_H_

#include "core/base/cpu_path.h"

// A compilation for an instruction set defines LITE_LOOPS as its name; LITE_LOOPS_AVX2 and LITE_LOOPS_AVX512
// are 1 where there is one.
#ifdef LITE_LOOPS
#define LITE_LOOPS_PASTE(name, set) name##_##set
#define LITE_LOOPS_NAME(name, set) LITE_LOOPS_PASTE(name, set)
#define LITE_EXPORT_LOOPS(RESULT, NAME, PARAMETERS, ARGUMENTS)                                               \
    RESULT LITE_LOOPS_NAME(NAME, LITE_LOOPS) PARAMETERS;                                                     \
    RESULT LITE_LOOPS_NAME(NAME, LITE_LOOPS) PARAMETERS
#else
#define LITE_EXPORT_LOOPS(RESULT, NAME, PARAMETERS, ARGUMENTS)                                               \
    RESULT NAME##_avx512 PARAMETERS;                                                                         \
    RESULT NAME##_avx2 PARAMETERS;                                                                           \
    static RESULT NAME##_portable PARAMETERS;                                                                \
    RESULT NAME PARAMETERS {                                                                                 \
        const LiteCpuPath level = lite_cpu_level();                                                          \
        if (LITE_LOOPS_AVX512 && level >= kLiteCpuAvx512) return NAME##_avx512 ARGUMENTS;                    \
        if (LITE_LOOPS_AVX2 && level >= kLiteCpuAvx2) return NAME##_avx2 ARGUMENTS;                          \
        return NAME##_portable ARGUMENTS;                                                                    \
    }                                                                                                        \
    static RESULT NAME##_portable PARAMETERS
#endif

#endif
