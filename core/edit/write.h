// SPDX-License-Identifier: Apache-2.0
// The file that a plan describes.
#ifndef CORE_EDIT_WRITE_H_
#define CORE_EDIT_WRITE_H_

#include "core/edit/plan.h"

// Numbers everything and writes the file, to be released with lite_free.
TfLiteStatus lite_edit_plan_write(LiteEditPlan* plan, uint8_t** data, size_t* size);

#endif
