// SPDX-License-Identifier: Apache-2.0
// A model of custom operators "Twice" (y = 2 x, float32) in a row, and a program around it.
#ifndef TESTS_API_FIXTURE_H_
#define TESTS_API_FIXTURE_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"

enum { kLength = 3 };

// How often the operator's functions were called since fixture_reset.
typedef struct FixtureCalls {
    int init;
    int free;
    int prepare;
    int invoke;
    size_t buffer_length; // in the last init
} FixtureCalls;

extern FixtureCalls fixture_calls;
extern char fixture_messages[4096];
// Called in each invoke when not NULL.
extern void (*fixture_on_invoke)(void);

void fixture_reset(void);
void fixture_report(void* user_data, const char* format, va_list args); // appends to fixture_messages

// A model of `nodes` operators in a row, input [3], signature "main" from "x" to "y", metadata "note".
TfLiteModel* fixture_model(int nodes);
// A model of one builtin ADD of the input to itself.
TfLiteModel* fixture_add_model(void);
// A model with a variable [3]: Accumulate(x, variable) adds x to the variable and gives the sum.
TfLiteModel* fixture_variable_model(void);

// The operators, in today's form and as a struct.
TfLiteOperator* fixture_twice(void);
TfLiteOperator* fixture_accumulate(void);
TfLiteRegistration fixture_registration(void);

// Options that collect messages, with the operators added; they live until fixture_reset.
TfLiteInterpreterOptions* fixture_options(void);

// Allocates, runs with 1, 2, 3 and checks that the outputs are `factor` times that.
void fixture_check_run(TfLiteInterpreter* interpreter, float factor);

#endif
