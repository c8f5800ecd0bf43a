// SPDX-License-Identifier: Apache-2.0
// From the bytes of a file to a model.
#ifndef CORE_MODEL_OPEN_H_
#define CORE_MODEL_OPEN_H_

#include "core/model/model.h"

// Reads `size` bytes at `data`, which must stay as they are until the last release. NULL, and one message
// through `reporter` (NULL: silent), when the bytes are not a well-formed model. Needs no alignment of
// `data`.
LiteModel* lite_model_create(const void* data, size_t size, const LiteReporter* reporter);

// Memory-maps the file at `path`. As above.
LiteModel* lite_model_open(const char* path, const LiteReporter* reporter);

#endif
