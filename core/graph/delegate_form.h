// SPDX-License-Identifier: Apache-2.0
// A delegate comes in two forms: functions of its own, or a builder with functions on the opaque API.
#ifndef CORE_GRAPH_DELEGATE_FORM_H_
#define CORE_GRAPH_DELEGATE_FORM_H_

#include "tensorflow/lite/c/common.h"

const TfLiteOpaqueDelegateBuilder* lite_delegate_builder(const TfLiteDelegate* delegate); // NULL: plain form
int64_t lite_delegate_flags(const TfLiteDelegate* delegate); // TfLiteDelegateFlags

#endif
