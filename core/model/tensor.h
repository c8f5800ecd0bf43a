// SPDX-License-Identifier: Apache-2.0
// The tensors of a subgraph and what they hold.
#ifndef CORE_MODEL_TENSOR_H_
#define CORE_MODEL_TENSOR_H_

#include "core/model/loader.h"

TfLiteStatus lite_load_tensors(LiteLoader* loader, LiteFlatTable subgraph, LiteModelSubgraph* result);

#endif
