// SPDX-License-Identifier: Apache-2.0
// A tree as a file.
#ifndef CORE_EDIT_TREE_WRITE_H_
#define CORE_EDIT_TREE_WRITE_H_

#include "core/base/status.h"
#include "core/edit/tree.h"

// The file, to be released with lite_free. `identifier` has 4 characters. Fails, with a message, when memory
// ran out, something could not be copied, or all but what is outside takes more than 2 GiB.
TfLiteStatus lite_tree_finish(LiteTree* tree, const char* identifier, const LiteReporter* reporter,
                              uint8_t** data, size_t* size);

#endif
