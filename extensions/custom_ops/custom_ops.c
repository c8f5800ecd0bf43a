// SPDX-License-Identifier: Apache-2.0
// The list of operators, by the names that they have in models.
#include "oclite/custom_ops.h"

#include "extensions/custom_ops/list.h"
#include "oclite/operators.h"

static const LiteExtensionOperator* const sources[] = {&lite_custom_roll,
                                                       &lite_custom_max_pool_3d,
                                                       &lite_custom_average_pool_3d,
                                                       &lite_custom_average_pool_3d_too,
                                                       &lite_custom_multinomial,
                                                       &lite_custom_random_uniform,
                                                       &lite_custom_random_uniform_int,
                                                       &lite_custom_random_standard_normal,
                                                       &lite_custom_irfft2d,
                                                       &lite_custom_irfft2d_too,
                                                       &lite_custom_sign,
                                                       &lite_custom_atan2,
                                                       &lite_custom_atan2_too,
                                                       &lite_custom_table,
                                                       &lite_custom_gru,
                                                       &lite_custom_dense_image_warp,
                                                       &lite_custom_max_pool_with_argmax};

enum { kCount = sizeof(sources) / sizeof(sources[0]) };

static _Atomic(TfLiteOperator*) operators[kCount];
static LiteExtensionSet set = {sources, operators, kCount};

TfLiteOperator* oclite_custom_ops_operator(int index) {
    return lite_extension_operator(&set, index);
}

TfLiteStatus oclite_custom_ops_add_operators(TfLiteInterpreterOptions* options) {
    return lite_extension_add(&set, options);
}

TfLiteStatus oclite_add_operators(TfLiteInterpreterOptions* options) {
    return oclite_custom_ops_add_operators(options);
}
