// SPDX-License-Identifier: Apache-2.0
// Programs, built once per device.
//
// A program is: prelude (#define lines: vector width, tile, formula) + kernels-cl/args.h + common.cl +
// <family>.cl; one of a user's own is prelude + its text. Its key is family, prelude and that text; shapes
// are never in it, they travel as kernel arguments. So the number of programs is bounded by the code, not by
// the models.
#ifndef DELEGATE_OPENCL_PROGRAM_H_
#define DELEGATE_OPENCL_PROGRAM_H_

#include "delegate-opencl/device.h"

// The embedded text kernels-cl/<name>.cl, NULL without one.
const char* lite_cl_source(const char* name);

typedef struct LiteClProgramKey {
    const char* family;
    const char* source; // NULL: kernels-cl/<family>.cl
    const char* prelude;
} LiteClProgramKey;

// A new kernel object `name` of the program, which is built when it is not in the device's cache. Kernel
// objects hold arguments, so each step of each interpreter has its own; release it with clReleaseKernel. A
// failed build reports the compiler's first words.
TfLiteStatus lite_cl_kernel_create(LiteClDevice* device, const LiteClProgramKey* key, const char* name,
                                   const LiteReporter* reporter, cl_kernel* kernel);

// Forgets all programs. Only for the end of the device.
void lite_cl_programs_release(LiteClDevice* device);

// Number of programs in the cache, for tests.
int lite_cl_programs_count(LiteClDevice* device);

#endif
