// SPDX-License-Identifier: Apache-2.0
// One list without elements for all who have none, in the place of an allocation for each.
#ifndef CORE_BASE_NO_INTS_H_
#define CORE_BASE_NO_INTS_H_

#include "tensorflow/lite/c/common.h"

// Not to be written. TfLiteIntArrayFree leaves it alone; so it is not for lists that programs may release in
// another way.
TfLiteIntArray* lite_no_ints(void);

#endif
