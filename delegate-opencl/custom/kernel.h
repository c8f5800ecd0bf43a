// SPDX-License-Identifier: Apache-2.0
// The entry of an operator of the program's own: what it takes, the shapes it gives, its launch.
#ifndef DELEGATE_OPENCL_CUSTOM_KERNEL_H_
#define DELEGATE_OPENCL_CUSTOM_KERNEL_H_

#include <stdatomic.h>

#include "delegate-opencl/custom/declaration.h"
#include "delegate-opencl/device/device.h"
#include "delegate-opencl/graph/op.h"

typedef struct OcliteOpenclOperator {
    LiteClOp op; // the first field, because a node's op points to it
    LiteClDeclaration declaration;
    char* source;
    char* file; // for messages
    atomic_int references;
    struct OcliteOpenclOperator** shared; // where all delegates find it; NULL: it is the program's
} LiteClCustom;

// The values of the options in a map of FlexBuffers.
bool lite_cl_custom_options(const LiteClDeclaration* declaration, const void* bytes, size_t size,
                            double* values, LiteClReason* reason);
// Finds where the declared tensors are in the node, see LiteClSizes. False where the node has others.
bool lite_cl_custom_places(const LiteClDeclaration* declaration, int input_count, int output_count,
                           int8_t* places, LiteClReason* reason);
// Makes custom->op from the declaration.
void lite_cl_custom_set_op(LiteClCustom* custom);
// Builds its kernel for the first of the types that each tensor may have; a formula has none.
TfLiteStatus lite_cl_custom_try(const LiteClCustom* custom, LiteClDevice* device,
                                const LiteReporter* reporter);

#endif
