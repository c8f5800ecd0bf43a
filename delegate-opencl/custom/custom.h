// SPDX-License-Identifier: Apache-2.0
// Operators of the program's own (oclite/opencl_custom.h), which the delegate treats like its own.
#ifndef DELEGATE_OPENCL_CUSTOM_CUSTOM_H_
#define DELEGATE_OPENCL_CUSTOM_CUSTOM_H_

#include <stdatomic.h>

#include "delegate-opencl/custom/declaration.h"
#include "delegate-opencl/support.h"

typedef struct OcliteOpenclOperator {
    LiteClOp op; // first: a node's op leads here
    LiteClDeclaration declaration;
    char* source;
    char* file; // for messages
    atomic_int references;
} LiteClCustom;

// Of a text that declares itself; copies it. NULL after a report.
LiteClCustom* lite_cl_custom_create(const char* source, const char* file, const LiteReporter* reporter);
LiteClCustom* lite_cl_custom_open(const char* path, const LiteReporter* reporter);
LiteClCustom* lite_cl_custom_retain(LiteClCustom* custom);
void lite_cl_custom_release(LiteClCustom* custom); // NULL allowed

// The operators of a delegate, the first of a name counts.
typedef struct LiteClCustoms {
    int count;
    LiteClCustom** customs;
} LiteClCustoms;

// Takes over a reference, also on failure.
TfLiteStatus lite_cl_customs_add(LiteClCustoms* customs, LiteClCustom* custom, const LiteReporter* reporter);
void lite_cl_customs_free(LiteClCustoms* customs);
// NULL: none is called so.
const LiteClCustom* lite_cl_customs_find(const LiteClCustoms* customs, const char* name);
// Adds the operators of the library itself that are declared so: those with a 2 in core/ops.def, in
// kernels-cl/NAME.cl.
TfLiteStatus lite_cl_customs_add_own(LiteClCustoms* customs, const LiteReporter* reporter);
// Builds each of their kernels for the first of the types that it takes.
TfLiteStatus lite_cl_customs_build(const LiteClCustoms* customs, LiteClDevice* device,
                                   const LiteReporter* reporter);

// ---- Between the files of custom/ ----

// The values of the options in a map of FlexBuffers.
bool lite_cl_custom_options(const LiteClDeclaration* declaration, const void* bytes, size_t size,
                            double* values, LiteClReason* reason);
// Where its tensors are in the node, see LiteClSizes; false where the node has others.
bool lite_cl_custom_places(const LiteClDeclaration* declaration, int input_count, int output_count,
                           int8_t* places, LiteClReason* reason);
// The functions of its entry.
void lite_cl_custom_set_op(LiteClCustom* custom);
// One kernel for certain types of its tensors, built when it is not there yet.
TfLiteStatus lite_cl_custom_try(const LiteClCustom* custom, LiteClDevice* device,
                                const LiteReporter* reporter);

#endif
