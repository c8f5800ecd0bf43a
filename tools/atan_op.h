// SPDX-License-Identifier: Apache-2.0
// The custom operator "Atan" (arc tangent, element by element, float32): an example of an operator that the
// library does not have, written on the public operator API. oclite, the command line tool, registers it.
#ifndef TOOLS_ATAN_OP_H_
#define TOOLS_ATAN_OP_H_

#include "tensorflow/lite/c/operator.h"

// NULL when out of memory. It must outlive the interpreters that it is given to; then TfLiteOperatorDelete.
TfLiteOperator* tool_atan_operator(void);

#endif
