// SPDX-License-Identifier: Apache-2.0
// The quantization of a tensor.
#ifndef CORE_MODEL_QUANTIZATION_H_
#define CORE_MODEL_QUANTIZATION_H_

#include "core/model/loader.h"

TfLiteStatus lite_load_quantization(LiteLoader* loader, LiteFlatTable tensor, int tensor_count,
                                    LiteModelTensor* result);

#endif
