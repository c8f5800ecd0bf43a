// SPDX-License-Identifier: Apache-2.0
// Models, and the builder of interpreters.
#ifndef TENSORFLOW_LITE_MODEL_H_
#define TENSORFLOW_LITE_MODEL_H_

#include "tensorflow/lite/interpreter_builder.h" // IWYU pragma: export
#include "tensorflow/lite/model_builder.h"       // IWYU pragma: export

#endif
