// SPDX-License-Identifier: Apache-2.0
// The function that a shared library with custom operators exports. Programs load such a library by its path,
// as `oclite run --operators LIBRARY.so` does.
//
//     TfLiteStatus oclite_add_operators(TfLiteInterpreterOptions* options) {
//         static TfLiteOperator* op; // belongs to the library
//         if (op == NULL) op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "AtanOffset", 1);
//         if (op == NULL) return kTfLiteError;
//         TfLiteOperatorSetPrepare(op, prepare);
//         TfLiteOperatorSetInvoke(op, invoke);
//         TfLiteInterpreterOptionsAddOperator(options, op);
//         return kTfLiteOk;
//     }
//
// examples/fused_atan is such a library, and so is liboclite_custom_ops. liboclite_tftext exports the same
// function under another name.
#ifndef OCLITE_OPERATORS_H_
#define OCLITE_OPERATORS_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds the library's operators to `options`, so that interpreters created with these options know them. The
// library defines this function; oclite does not. The program calls it once for each options object, from one
// thread at a time. When it returns kTfLiteError, the program creates no interpreter. The operators live as
// long as the library is loaded, which must be longer than the interpreters live.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_add_operators(TfLiteInterpreterOptions* options);

// The type and the name by which a program looks the function up in the library.
typedef TfLiteStatus (*OcliteAddOperators)(TfLiteInterpreterOptions* options);
#define OCLITE_ADD_OPERATORS "oclite_add_operators"

#ifdef __cplusplus
}
#endif

#endif
