// SPDX-License-Identifier: Apache-2.0
// The operators of this library. Each file defines one or a few; "too" is the same operator under another
// name.
#ifndef EXTENSIONS_CUSTOM_OPS_LIST_H_
#define EXTENSIONS_CUSTOM_OPS_LIST_H_

#include "extensions/common/operator.h"

extern const LiteExtensionOperator lite_custom_roll;
extern const LiteExtensionOperator lite_custom_max_pool_3d;
extern const LiteExtensionOperator lite_custom_average_pool_3d;
extern const LiteExtensionOperator lite_custom_average_pool_3d_too;
extern const LiteExtensionOperator lite_custom_multinomial;
extern const LiteExtensionOperator lite_custom_random_uniform;
extern const LiteExtensionOperator lite_custom_random_uniform_int;
extern const LiteExtensionOperator lite_custom_random_standard_normal;
extern const LiteExtensionOperator lite_custom_irfft2d;
extern const LiteExtensionOperator lite_custom_irfft2d_too;
extern const LiteExtensionOperator lite_custom_sign;
extern const LiteExtensionOperator lite_custom_atan2;
extern const LiteExtensionOperator lite_custom_atan2_too;
extern const LiteExtensionOperator lite_custom_table;
extern const LiteExtensionOperator lite_custom_gru;
extern const LiteExtensionOperator lite_custom_dense_image_warp;
extern const LiteExtensionOperator lite_custom_max_pool_with_argmax;

#endif
