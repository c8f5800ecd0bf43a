// SPDX-License-Identifier: Apache-2.0
// Files from the trees of core/edit, for tests.
#ifndef TESTS_SUPPORT_FLAT_WRITER_H_
#define TESTS_SUPPORT_FLAT_WRITER_H_

#include "core/edit/tree.h"

// Returns the file, which the caller releases with free(), and deletes the tree. `identifier` has 4
// characters. The test program ends when memory runs out.
uint8_t* flat_finish(LiteTree* tree, const char* identifier, size_t* size);

#endif
