// SPDX-License-Identifier: Apache-2.0
// Operators of the program's own (oclite/opencl_custom.h). The delegate treats them like its own.
#ifndef DELEGATE_OPENCL_CUSTOM_CUSTOM_H_
#define DELEGATE_OPENCL_CUSTOM_CUSTOM_H_

#include "delegate-opencl/custom/kernel.h"

// Creates an operator from a text that declares it; the text is copied. NULL after a report.
LiteClCustom* lite_cl_custom_create(const char* source, const char* file, const LiteReporter* reporter);
LiteClCustom* lite_cl_custom_open(const char* path, const LiteReporter* reporter);
LiteClCustom* lite_cl_custom_retain(LiteClCustom* custom);
void lite_cl_custom_release(LiteClCustom* custom); // NULL allowed

// The operators of a delegate. Where several have the same name the first one counts.
typedef struct LiteClCustoms {
    int count;
    LiteClCustom** customs;
} LiteClCustoms;

// Takes over a reference, also on failure.
TfLiteStatus lite_cl_customs_add(LiteClCustoms* customs, LiteClCustom* custom, const LiteReporter* reporter);
void lite_cl_customs_free(LiteClCustoms* customs);
// NULL: there is none of that name.
const LiteClCustom* lite_cl_customs_find(const LiteClCustoms* customs, const char* name);
// The one whose name is nearest to a name that none of them has, if it may have been meant; else NULL.
const LiteClCustom* lite_cl_customs_near(const LiteClCustoms* customs, const char* name);
// Finds operators among these, and else among those of the library.
LiteClFinder lite_cl_customs_finder(const LiteClCustoms* customs);
// Adds the operators of the library itself that are declared in the same way, in kernels-cl/NAME.cl: those
// with a 2 in core/ops.def.
TfLiteStatus lite_cl_customs_add_own(LiteClCustoms* customs, const LiteReporter* reporter);
// Builds the kernel of each for the first of the types that it takes.
TfLiteStatus lite_cl_customs_build(const LiteClCustoms* customs, LiteClDevice* device,
                                   const LiteReporter* reporter);

#endif
