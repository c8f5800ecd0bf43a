// SPDX-License-Identifier: Apache-2.0
// The custom operator "Atan": y = atan(x), element by element, float32.
#ifndef EXAMPLES_CUSTOM_ATAN_ATAN_OPERATOR_H_
#define EXAMPLES_CUSTOM_ATAN_ATAN_OPERATOR_H_

#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// NULL when out of memory. It must outlive the interpreters it is given to; TfLiteOperatorDelete it then.
TfLiteOperator* atan_operator_create(void);

#ifdef __cplusplus
}
#endif

#endif
