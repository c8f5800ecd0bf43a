// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1 to 3: a magic string, a header in Python's notation, the elements in C
// order.
#ifndef TOOLS_NPY_H_
#define TOOLS_NPY_H_

#include <stddef.h>

#include "tensorflow/lite/c/c_api_types.h"
#include "tools/status.h"

enum { TOOL_MAX_RANK = 32 };

typedef struct ToolShape {
    int rank;
    int dims[TOOL_MAX_RANK];
} ToolShape;

typedef struct ToolArray {
    TfLiteType type;
    ToolShape shape;
    size_t count; // elements
    size_t bytes;
    const void* data; // not owned, not aligned
} ToolArray;

// Bytes of one element in a .npy file; 0 for types that NumPy does not have.
size_t tool_npy_element_size(TfLiteType type);

// Reads `size` bytes of a file; array->data points into them. `name` is for messages. Big-endian, structured
// and Fortran-ordered arrays are refused, and files that are longer or shorter than their header says.
ToolStatus tool_npy_parse(const char* name, const void* file, size_t size, ToolArray* array,
                          ToolMessage* message);

// Writes an array whose type NumPy has.
ToolStatus tool_npy_write(const char* path, const ToolArray* array, ToolMessage* message);

// Number of elements; false when a dimension is negative or the product exceeds SIZE_MAX / 16.
bool tool_shape_count(const ToolShape* shape, size_t* count);

// "1x224x224x3", "" for a scalar; `text` has room for TOOL_SHAPE_TEXT characters.
enum { TOOL_SHAPE_TEXT = TOOL_MAX_RANK * 12 + 1 };
const char* tool_shape_text(const ToolShape* shape, char* text);

#endif
