// SPDX-License-Identifier: Apache-2.0
// Elements as a file holds them and as a tensor does.
#ifndef TOOLS_ELEMENT_H_
#define TOOLS_ELEMENT_H_

#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/lite/c/c_api_types.h"

// The type in which elements of `type` are stored in a file; kTfLiteNoType when there is none.
TfLiteType tool_element_file_type(TfLiteType type);

// Bytes of `count` elements in a tensor; 0 for types without a fixed size. `count` is at most SIZE_MAX / 16.
size_t tool_element_tensor_bytes(TfLiteType type, size_t count);

// Convert `count` elements of a tensor of `type`; no alignment needed. From file to tensor integers keep
// their low bits, bfloat16 is rounded to the nearest (ties to even), and any bool but 0 becomes 1.
void tool_element_to_tensor(TfLiteType type, size_t count, const void* file, void* tensor);
void tool_element_to_file(TfLiteType type, size_t count, const void* tensor, void* file);

#endif
