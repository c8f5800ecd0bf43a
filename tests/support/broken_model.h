// SPDX-License-Identifier: Apache-2.0
// A small model for tests to break, and a check of what the loader says about it.
#ifndef TESTS_SUPPORT_BROKEN_MODEL_H_
#define TESTS_SUPPORT_BROKEN_MODEL_H_

#include "tests/support/model_builder.h"

// Builds y = x + w, all of shape [2, 3]: tensors 0 to 2. Buffer 1 holds w.
ModelBuilder* broken_model(void);

// Asserts that the loader reports one message, which contains `expected`, or, with NULL, that it accepts the
// model.
void broken_expect(const void* bytes, size_t size, const char* expected);

#endif // TESTS_SUPPORT_BROKEN_MODEL_H_
