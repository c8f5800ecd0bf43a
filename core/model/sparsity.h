// SPDX-License-Identifier: Apache-2.0
// The sparsity of a tensor.
#ifndef CORE_MODEL_SPARSITY_H_
#define CORE_MODEL_SPARSITY_H_

#include "core/model/loader.h"

// *values: the number of elements that the tensor's buffer holds.
TfLiteStatus lite_load_sparsity(LiteLoader* loader, LiteFlatTable tensor, LiteModelTensor* result,
                                int64_t* values);

#endif
