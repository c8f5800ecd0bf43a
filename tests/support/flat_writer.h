// SPDX-License-Identifier: Apache-2.0
// The writer of core/edit as tests use it.
#ifndef TESTS_SUPPORT_FLAT_WRITER_H_
#define TESTS_SUPPORT_FLAT_WRITER_H_

#include "core/edit/tree.h"

// The file, to be released with free(); the tree is gone afterwards. `identifier` has 4 characters. Out of
// memory ends the test program.
uint8_t* flat_finish(LiteTree* tree, const char* identifier, size_t* size);

#endif
