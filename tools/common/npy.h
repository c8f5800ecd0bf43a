// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1 to 3: a magic string, a header in Python's notation, and the elements in C
// order.
#ifndef TOOLS_COMMON_NPY_H_
#define TOOLS_COMMON_NPY_H_

#include <stddef.h>

#include "tensorflow/lite/c/c_api_types.h"
#include "tools/common/status.h"

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

// Returns the bytes of one element in a .npy file; 0 for types that NumPy does not have.
size_t tool_npy_element_size(TfLiteType type);

// Parses `size` bytes of a file; array->data points into them. Messages use `name`. Big-endian, structured
// and Fortran-ordered arrays are refused, and so are files that are longer or shorter than their header says.
ToolStatus tool_npy_parse(const char* name, const void* file, size_t size, ToolArray* array,
                          ToolMessage* message);

// Writes an array whose type NumPy has.
ToolStatus tool_npy_write(const char* path, const ToolArray* array, ToolMessage* message);

// Stores the number of elements. Returns false when a dimension is negative or the product exceeds SIZE_MAX /
// 16.
bool tool_shape_count(const ToolShape* shape, size_t* count);

// Writes "1x224x224x3", or "" for a scalar, to `text`, which has room for TOOL_SHAPE_TEXT characters, and
// returns it.
enum { TOOL_SHAPE_TEXT = TOOL_MAX_RANK * 12 + 1 };
const char* tool_shape_text(const ToolShape* shape, char* text);

#endif
