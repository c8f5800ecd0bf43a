// SPDX-License-Identifier: Apache-2.0
// The contents of constant string tensors.
#ifndef CORE_MODEL_STRINGS_H_
#define CORE_MODEL_STRINGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether `bytes` bytes at `data` are at least `elements` strings: their number, where each begins, where the
// last ends, and the characters. Otherwise writes what is wrong to the `size` characters at `problem`.
bool lite_model_strings_check(const void* data, size_t bytes, int64_t elements, char* problem, size_t size);

#endif
