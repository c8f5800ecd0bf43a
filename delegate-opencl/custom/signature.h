// SPDX-License-Identifier: Apache-2.0
// Whether a kernel's arguments are what the declaration gives them.
#ifndef DELEGATE_OPENCL_CUSTOM_SIGNATURE_H_
#define DELEGATE_OPENCL_CUSTOM_SIGNATURE_H_

#include "core/base/types.h"
#include "delegate-opencl/custom/declaration.h"
#include "delegate-opencl/device/device.h"

// What a program is compiled for.
typedef struct LiteClSignature {
    const LiteClDeclaration* declaration;
    const char* file; // for messages
    const char* source;
    unsigned
        types[LITE_CL_CUSTOM_TENSORS]; // of each tensor: those that it may have with this program, as bits
} LiteClSignature;

// OpenCL's name of a type of elements: "float", "uchar".
const char* lite_cl_signature_type(TfLiteType type);

// Checks the kernel of a program that has been compiled: its name, and of its arguments number, names,
// address spaces, types and qualifiers, as far as the driver tells them. `signature` is a LiteClSignature.
// Reports file, line, operator, kernel and argument, and what would be right.
TfLiteStatus lite_cl_signature_check(const LiteClDevice* device, cl_program program, const void* signature,
                                     const LiteReporter* reporter);

#endif
