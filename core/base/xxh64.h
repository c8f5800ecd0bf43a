// SPDX-License-Identifier: Apache-2.0
// XXH64, after its published specification: a fast hash that tells contents apart, also damaged ones, but not
// against somebody who looks for two of the same hash.
#ifndef CORE_BASE_XXH64_H_
#define CORE_BASE_XXH64_H_

#include <stddef.h>
#include <stdint.h>

uint64_t lite_xxh64(const void* data, size_t size, uint64_t seed);

#endif
