// SPDX-License-Identifier: Apache-2.0
// Models for the tests of the C++ API, as bytes. Released with cxx_model_free.
#ifndef TESTS_API_CXX_MODELS_H_
#define TESTS_API_CXX_MODELS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CxxModel {
    uint8_t* bytes;
    size_t size;
} CxxModel;

// a = x + x, b = a + a, y = b + b; float32 [1, 3] with signature [-1, 3]. Tensors 0 to 3 are "x", "a", "b",
// "y". Metadata "note" and "min_runtime_version".
CxxModel cxx_model_adds(void);

// y = Second(First(x)), two custom operators of the given names and versions; float32 [3].
CxxModel cxx_model_customs(const char* first, const char* second, int second_version);

// A custom operator of float32 [3] tensors x and v, a variable: y = Accumulate(x, v).
CxxModel cxx_model_variable(void);

// A custom operator of tensors of strings: y = Join(x).
CxxModel cxx_model_strings(void);

// Two subgraphs, each with a signature: "double" computes y = x + x, "square" r = v * v; float32 [2], in
// "square" with signature [-1].
CxxModel cxx_model_signatures(void);

void cxx_model_free(CxxModel model);

#ifdef __cplusplus
}
#endif

#endif
