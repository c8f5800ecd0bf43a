// SPDX-License-Identifier: Apache-2.0
// A small model to break, and what the loader has to say about files.
#ifndef TESTS_SUPPORT_BROKEN_MODEL_H_
#define TESTS_SUPPORT_BROKEN_MODEL_H_

#include "tests/support/model_builder.h"

// y = x + w, all [2, 3]: tensors 0 to 2; buffer 1 is w's.
ModelBuilder* broken_model(void);

// Asserts that the loader has one message, which contains `expected`; or, when that is NULL, gives a model.
void broken_expect(const void* bytes, size_t size, const char* expected);

#endif // TESTS_SUPPORT_BROKEN_MODEL_H_
