// SPDX-License-Identifier: Apache-2.0
// Values of options that are numbers, from text. Functions that fail report the option's key and the value.
#ifndef DELEGATE_OPENCL_OPTIONS_VALUES_H_
#define DELEGATE_OPENCL_OPTIONS_VALUES_H_

#include <stdbool.h>

#include "core/base/status.h"

// 0 or more.
TfLiteStatus lite_cl_value_count(const char* key, const char* value, const LiteReporter* reporter,
                                 int* field);

// Words for 0 and 1, as languages and programs write them.
bool lite_cl_value_is_switch(const char* value, int* number);
TfLiteStatus lite_cl_value_switch(const char* key, const char* value, const LiteReporter* reporter,
                                  int* field);
// The same from a number.
TfLiteStatus lite_cl_value_copy_switch(const char* key, int value, const LiteReporter* reporter, int* field);

#endif
