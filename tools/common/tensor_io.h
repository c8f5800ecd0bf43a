// SPDX-License-Identifier: Apache-2.0
// Reads and writes tensors as files: .json for string tensors, .npy for all others.
//
// A type that NumPy does not have is stored in a wider one: bfloat16 as float32, 4-bit and 2-bit integers as
// one int8 or uint8 per element, 8-bit floats as their bytes in uint8. Resources and variants are handles of
// the process and have no form in a file.
#ifndef TOOLS_COMMON_TENSOR_IO_H_
#define TOOLS_COMMON_TENSOR_IO_H_

#include <stdbool.h>

#include "tensorflow/lite/c/c_api.h"
#include "tools/common/file.h"
#include "tools/common/npy.h"
#include "tools/common/status.h"
#include "tools/common/strings.h"

typedef struct ToolInput {
    const char* path;
    ToolBytes file;
    bool is_strings; // which of the two is filled
    ToolStrings strings;
    ToolArray array;
} ToolInput;

// Reads a file. Release with tool_input_free, which accepts {0}.
ToolStatus tool_input_read(const char* path, ToolInput* input, ToolMessage* message);
void tool_input_free(ToolInput* input);

// Checks that the file has the tensor's type.
ToolStatus tool_input_check_type(const ToolInput* input, const TfLiteTensor* tensor, ToolMessage* message);

// Returns the shape that the tensor should have for this file. A list of strings without a shape fills the
// tensor as it is, or as a vector when the tensor has one dimension.
ToolShape tool_input_shape(const ToolInput* input, const TfLiteTensor* tensor);

// A constant of the model may be listed as an input. Nothing is written to it.
bool tool_tensor_is_constant(const TfLiteTensor* tensor);

// Copies into an allocated tensor, which must have as many elements as the file. A constant takes what it
// holds.
ToolStatus tool_input_copy(const ToolInput* input, TfLiteTensor* tensor, ToolMessage* message);

// Fills an allocated tensor that is not constant with zeros or empty strings.
ToolStatus tool_tensor_clear(TfLiteTensor* tensor, ToolMessage* message);

ToolShape tool_tensor_shape(const TfLiteTensor* tensor);

// Copies a tensor's shape and contents, as a file would hold them. Messages use `path`. A resource or
// variant, which has no form in a file, becomes an array of kTfLiteNoType. Release as above.
ToolStatus tool_input_take(const TfLiteTensor* tensor, const char* path, ToolInput* input,
                           ToolMessage* message);

// Writes STEM.npy or STEM.json; nothing for kTfLiteNoType.
ToolStatus tool_input_write(const ToolInput* input, const char* stem, ToolMessage* message);

// Copies a tensor and writes the copy.
ToolStatus tool_tensor_write(const TfLiteTensor* tensor, const char* stem, ToolMessage* message);

#endif
