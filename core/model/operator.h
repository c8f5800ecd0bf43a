// SPDX-License-Identifier: Apache-2.0
// The operators of a subgraph.
#ifndef CORE_MODEL_OPERATOR_H_
#define CORE_MODEL_OPERATOR_H_

#include "core/model/loader.h"

TfLiteStatus lite_load_operators(LiteLoader* loader, LiteFlatTable subgraph, LiteModelSubgraph* result);

#endif
