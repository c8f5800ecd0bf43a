// SPDX-License-Identifier: Apache-2.0
// Messages go to oclite_edit_last_error.
#ifndef CORE_EDIT_ERROR_H_
#define CORE_EDIT_ERROR_H_

#include "core/base/status.h"

// To be the first call in every public function that can fail: clears the message.
void lite_edit_begin(void);
extern const LiteReporter lite_edit_reporter;
#define lite_edit_fail(...) lite_report(&lite_edit_reporter, __VA_ARGS__)

// Return kTfLiteError, reported with the name that the argument has in oclite/edit.h, where it is NULL; in an
// array, where it is NULL but has elements, or their number is negative.
TfLiteStatus lite_edit_need(const void* argument, const char* name);
TfLiteStatus lite_edit_need_array(const void* argument, int count, const char* name);

#endif
