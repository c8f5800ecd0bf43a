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

// A model whose root table is at `root_table`, in a buffer whose beginning and end nobody tells: a
// tflite::Model of the official library. All that is reached from there is verified as it is in a file, but
// that the offsets lead to the buffer's own bytes the caller answers for. They must stay as they are until
// the last release. Contents outside of the FlatBuffer, in files beyond 2 GiB, are an error: they are counted
// from the start of the file.
LiteModel* lite_model_create_from_root(const void* root_table, const LiteReporter* reporter);

// A model of one subgraph in which there is nothing, for graphs that a program builds.
LiteModel* lite_model_create_empty(const LiteReporter* reporter);

#endif
