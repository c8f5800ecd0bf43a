// SPDX-License-Identifier: Apache-2.0
// The signatures of a model: names of inputs and outputs.
#ifndef CORE_MODEL_SIGNATURE_H_
#define CORE_MODEL_SIGNATURE_H_

#include "core/model/loader.h"

// Sorts names by their bytes. As in the reference's maps each name is there once: the last of equal ones
// counts. `order` and `sorted` have room for `count`. Returns how many of `sorted` are filled.
int lite_model_sort_names(const LiteModelTensorName* names, int count, const LiteModelTensorName** order,
                          LiteModelTensorName* sorted);

TfLiteStatus lite_load_signatures(LiteLoader* loader);

#endif
