// SPDX-License-Identifier: Apache-2.0
// The message of the last call that failed, for each thread.
#include "core/edit/error.h"

#include <stdio.h>

#include "oclite/edit.h"

static _Thread_local char last_error[1024];

static void keep_error(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(last_error, sizeof last_error, format, args);
}

const LiteReporter lite_edit_reporter = {keep_error, NULL};

void lite_edit_begin(void) {
    last_error[0] = '\0';
}

const char* oclite_edit_last_error(void) {
    return last_error;
}

TfLiteStatus lite_edit_need(const void* argument, const char* name) {
    return argument != NULL ? kTfLiteOk : lite_edit_fail("%s is NULL", name);
}

TfLiteStatus lite_edit_need_array(const void* argument, int count, const char* name) {
    if (count < 0) return lite_edit_fail("%s have %d elements", name, count);
    return count > 0 ? lite_edit_need(argument, name) : kTfLiteOk;
}
