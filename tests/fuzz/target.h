// SPDX-License-Identifier: Apache-2.0
// What the fuzz programs do with one model file.
#ifndef TESTS_FUZZ_TARGET_H_
#define TESTS_FUZZ_TARGET_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads and releases. Ends the program when a failure comes without exactly one message, or success with one.
// Whether there was a model.
bool fuzz_load(const uint8_t* data, size_t size);

// Loads, allocates, fills the inputs with a pattern and invokes; models with large tensors are only loaded,
// and an invocation that takes over a second is cancelled. Whether it came to an invocation.
bool fuzz_run(const uint8_t* data, size_t size);

#endif
