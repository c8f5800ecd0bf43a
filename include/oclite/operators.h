// SPDX-License-Identifier: Apache-2.0
// Custom operators in a library that programs load by its path, as `oclite run --operators LIBRARY.so` does:
// what the library has to export.
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
// examples/fused_atan is such a library; liboclite_tftext has the same function by a name of its own.
#ifndef OCLITE_OPERATORS_H_
#define OCLITE_OPERATORS_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Defined by the library, not by oclite: makes its operators known to interpreters that are created with
// these options. Called once for each of them, one after the other. kTfLiteError: there is no interpreter.
// The operators live as long as the library is loaded, which is longer than the interpreters live.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_add_operators(TfLiteInterpreterOptions* options);

// The same as what a program looks up in the library.
typedef TfLiteStatus (*OcliteAddOperators)(TfLiteInterpreterOptions* options);
#define OCLITE_ADD_OPERATORS "oclite_add_operators"

#ifdef __cplusplus
}
#endif

#endif
