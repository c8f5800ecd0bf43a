// SPDX-License-Identifier: Apache-2.0
// What converters note about a conversion: a FlatBuffer with a schema of its own, inside the model's
// metadata. It is only information, so a broken one is treated as absent.
#include "core/model/conversion.h"

#include "core/model/describe.h"

enum { kConversionEnvironment, kConversionOptions };
enum { kConversionOptimizationModes }; // of its options

TABLE(ConversionOptions, VECTOR(model_optimization_modes, 4));
TABLE(ConversionMetadata, DEPRECATED(environment), CHILD(options, ConversionOptions));

TfLiteStatus lite_load_conversion(LiteLoader* loader, const LiteModelMetadata* metadata) {
    LiteModel* model = loader->model;
    const bool known = model->optimization_modes.data != NULL;
    if (known || strcmp(metadata->name, "CONVERSION_METADATA") != 0) return kTfLiteOk;
    if (lite_flat_verify(metadata->data, metadata->bytes, &ConversionMetadata, NULL, NULL) != kTfLiteOk) {
        return kTfLiteOk;
    }
    const LiteFlatTable options = lite_flat_child(lite_flat_root(metadata->data), kConversionOptions);
    if (options.at == NULL) return kTfLiteOk;
    const LiteFlatVector modes = lite_flat_vector(options, kConversionOptimizationModes);
    int32_t* copy = lite_load_alloc(loader, modes.count, sizeof *copy); // the metadata need not be aligned
    if (copy == NULL) return kTfLiteError;
    if (modes.count > 0) memcpy(copy, modes.data, modes.count * sizeof *copy);
    model->optimization_modes = (LiteModelInts){(int)modes.count, copy};
    return kTfLiteOk;
}
