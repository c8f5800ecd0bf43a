// SPDX-License-Identifier: Apache-2.0
// What the converter notes about a conversion, from the metadata of the model.
#ifndef CORE_MODEL_CONVERSION_H_
#define CORE_MODEL_CONVERSION_H_

#include "core/model/loader.h"

// Reads `metadata` if it is about the conversion.
TfLiteStatus lite_load_conversion(LiteLoader* loader, const LiteModelMetadata* metadata);

#endif
