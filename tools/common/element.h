// SPDX-License-Identifier: Apache-2.0
// Converts elements between their forms in files and in tensors.
#ifndef TOOLS_COMMON_ELEMENT_H_
#define TOOLS_COMMON_ELEMENT_H_

#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/lite/c/c_api_types.h"

// Returns the type in which a file stores elements of `type`; kTfLiteNoType when there is none.
TfLiteType tool_element_file_type(TfLiteType type);

// Returns the bytes of `count` elements in a tensor; 0 for types without a fixed size. `count` is at most
// SIZE_MAX / 16.
size_t tool_element_tensor_bytes(TfLiteType type, size_t count);

// Convert `count` elements of a tensor of `type`. The data needs no alignment. From file to tensor, integers
// keep their low bits, bfloat16 is rounded to nearest (ties to even), and every bool but 0 becomes 1.
void tool_element_to_tensor(TfLiteType type, size_t count, const void* file, void* tensor);
void tool_element_to_file(TfLiteType type, size_t count, const void* tensor, void* file);

#endif
