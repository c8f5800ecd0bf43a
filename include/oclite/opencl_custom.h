// SPDX-License-Identifier: Apache-2.0
// A program's own operators as OpenCL kernels. Their source is OpenCL C that begins with a comment in which
// they declare themselves: tensors, options, shapes, arguments of the kernel, size of the work. The delegate
// treats them like its own operators. docs/CUSTOM_KERNELS.md describes the comment, with examples.
//
//     static const char source[] = "/* oclite\n"
//                                  "operator: Scale\n"
//                                  "input: x float32\n"
//                                  "output: y like x\n"
//                                  "option: factor float = 1\n"
//                                  "kernel: scale(x, y, float factor)\n"
//                                  "work: x.elements */\n"
//                                  "__kernel void scale(__global const float* x, __global float* y, float
//                                  factor) {\n" "    y[get_global_id(0)] = x[get_global_id(0)] * factor;\n"
//                                  "}\n";
//     OcliteOpenclOperator* scale = oclite_opencl_operator_create(source, "scale.cl");
//     if (scale == NULL) printf("%s\n", oclite_opencl_last_error());
//     OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
//     options.operators = (const OcliteOpenclOperator* const[]){scale};
//     options.operator_count = 1;
//     TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
//
// In a file the same text needs no C: the delegate's option custom_ops has the paths of such files, in hosts
// that load it as a plugin too.
//
// Functions may be called on any thread; an operator never changes.
#ifndef OCLITE_OPENCL_CUSTOM_H_
#define OCLITE_OPENCL_CUSTOM_H_

#include "oclite/opencl.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// An operator from its source, which is copied. `file` is what messages call it, those of the driver's
// compiler too. NULL after a fault in the declaration, see oclite_opencl_last_error: it has file, line and
// what was expected there. The kernel itself is compiled by oclite_opencl_delegate_create, for the
// delegate's device.
TFL_CAPI_EXPORT extern OcliteOpenclOperator* oclite_opencl_operator_create(const char* source,
                                                                           const char* file);

// The same from a file, which is read whole and closed.
TFL_CAPI_EXPORT extern OcliteOpenclOperator* oclite_opencl_operator_create_from_file(const char* path);

// Accepts NULL. Delegates that were given the operator keep it as long as they live.
TFL_CAPI_EXPORT extern void oclite_opencl_operator_delete(OcliteOpenclOperator* custom);

// What the model calls the operator. Valid as long as the operator.
TFL_CAPI_EXPORT extern const char* oclite_opencl_operator_name(const OcliteOpenclOperator* custom);

// The operator on the CPU, for TfLiteInterpreterOptionsAddOperator of liboclite: made of the same formula,
// for float32. NULL for an operator that is a kernel and no formula ("elementwise"), and when out of memory.
// The caller owns it, deletes it after the interpreters that use it, and before `custom`.
TFL_CAPI_EXPORT extern TfLiteOperator* oclite_opencl_operator_cpu(const OcliteOpenclOperator* custom);

#ifdef __cplusplus
}
#endif

#endif
