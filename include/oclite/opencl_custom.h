// SPDX-License-Identifier: Apache-2.0
// A program's own operators as OpenCL kernels. Their source is OpenCL C and begins with a comment that
// declares the operator: tensors, options, shapes, arguments of the kernel and size of the work. The delegate
// treats such an operator like its own operators. docs/CUSTOM_KERNELS.md describes the comment, with
// examples.
//
//     static const char source[] = "/* oclite\n"
//                                  "operator: Scale\n"
//                                  "input: x float32\n"
//                                  "output: y like x\n"
//                                  "option: factor float = 1\n"
//                                  "kernel: scale(x, y, float factor)\n"
//                                  "work: x.elements */\n"
//                                  "__kernel void scale(__global const float* x, __global float* y,\n"
//                                  "                    float factor) {\n"
//                                  "    y[get_global_id(0)] = x[get_global_id(0)] * factor;\n"
//                                  "}\n";
//     OcliteOpenclOperator* scale = oclite_opencl_operator_create(source, "scale.cl");
//     if (scale == NULL) printf("%s\n", oclite_opencl_last_error());
//     OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
//     options.operators = (const OcliteOpenclOperator* const[]){scale};
//     options.operator_count = 1;
//     TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
//
// A program needs no C code for the same text in a file: the delegate's option custom_ops names such files,
// also in hosts that load the delegate as a plugin.
//
// The functions may be called on any thread. An operator never changes.
#ifndef OCLITE_OPENCL_CUSTOM_H_
#define OCLITE_OPENCL_CUSTOM_H_

#include "oclite/opencl.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates an operator from its source, which is copied. Messages call the source `file`, also the messages of
// the driver's compiler. Returns NULL when the declaration has an error; oclite_opencl_last_error then states
// the file, the line and what was expected there. The kernel itself is compiled later, by
// oclite_opencl_delegate_create, for the delegate's device, which then also compares the kernel's arguments
// with the declaration's, as far as the driver tells of them: number, address spaces, types. Its message
// names file, line, operator, kernel and argument, and what would be right.
TFL_CAPI_EXPORT extern OcliteOpenclOperator* oclite_opencl_operator_create(const char* source,
                                                                           const char* file);

// Creates an operator from a file, which is read and closed.
TFL_CAPI_EXPORT extern OcliteOpenclOperator* oclite_opencl_operator_create_from_file(const char* path);

// Accepts NULL. Delegates that were given the operator keep it as long as they live.
TFL_CAPI_EXPORT extern void oclite_opencl_operator_delete(OcliteOpenclOperator* custom);

// Returns the name that models use for the operator. It is valid as long as the operator.
TFL_CAPI_EXPORT extern const char* oclite_opencl_operator_name(const OcliteOpenclOperator* custom);

// Creates a CPU form of the operator for TfLiteInterpreterOptionsAddOperator of liboclite. It computes the
// same formula, for float32. Returns NULL for an operator that is a kernel and not a formula ("elementwise"),
// and when memory runs out. The caller owns it, and deletes it after the interpreters that use it and before
// `custom`.
TFL_CAPI_EXPORT extern TfLiteOperator* oclite_opencl_operator_cpu(const OcliteOpenclOperator* custom);

#ifdef __cplusplus
}
#endif

#endif
