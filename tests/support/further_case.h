// SPDX-License-Identifier: Apache-2.0
// What a further interpreter of a model costs beside the memory of its tensors: services have many of them.
// What the interpreters share has been allocated by the first one. Bytes are those of the allocator; beside
// them are the pages of the arrays of tensors, 200 bytes for each (lite_subgraph_grow_tensors).
#ifndef TESTS_SUPPORT_FURTHER_CASE_H_
#define TESTS_SUPPORT_FURTHER_CASE_H_

#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"

enum { kFurtherWidth = 256, kFurtherLayers = 4 };

// Fills the weights of the models. Before all others.
void further_fill(void);

// An encoder of four layers.
ModelBuilder* further_encoder(void);
// Convolutions of 1 x 1, one after the other, of FLOAT32 or INT8, or FLOAT32
// with filters that are stored as FLOAT16.
ModelBuilder* further_convolutions(TfLiteType type);

// At most `bound` bytes beside the tensors; `delegate`: NULL, or the OpenCL delegate. Frees the builder.
void further_expect(ModelBuilder* b, TfLiteDelegate* delegate, size_t bound);

#endif
