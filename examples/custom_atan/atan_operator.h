// SPDX-License-Identifier: Apache-2.0
// The custom operator "Atan": y = atan(x), element by element, float32.
#ifndef EXAMPLES_CUSTOM_ATAN_ATAN_OPERATOR_H_
#define EXAMPLES_CUSTOM_ATAN_ATAN_OPERATOR_H_

#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates the operator; NULL when memory runs out. It must outlive the interpreters that use it. Delete it
// with TfLiteOperatorDelete.
TfLiteOperator* atan_operator_create(void);

#ifdef __cplusplus
}
#endif

#endif
