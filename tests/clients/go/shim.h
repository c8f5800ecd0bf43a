// SPDX-License-Identifier: Apache-2.0
// What Go cannot say by itself: a va_list, and functions of operators.
#ifndef TESTS_CLIENTS_GO_SHIM_H_
#define TESTS_CLIENTS_GO_SHIM_H_

#include <stdint.h>
#include <stdlib.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

// Passes formatted messages to goReport with the handle.
void shim_set_reporter(TfLiteInterpreterOptions* options, uintptr_t handle);

// y = 2 x, as a registration from malloc. The caller keeps it.
TfLiteRegistration* shim_twice(void);

// Makes the tensor one of `count` strings in `bytes`, from malloc. What the tensor had is given to free().
void shim_give_strings(TfLiteTensor* tensor, char* bytes, size_t size, int count);

#endif
