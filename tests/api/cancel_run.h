// SPDX-License-Identifier: Apache-2.0
// Runs the cases of cancel_cases.h and cancels them.
#ifndef TESTS_API_CANCEL_RUN_H_
#define TESTS_API_CANCEL_RUN_H_

#include "tests/api/cancel_cases.h"
#include "tests/api/program.h"

// Allocated, with all inputs. `delegate` may be NULL.
void cancel_case_open(Program* program, const CancelCase* a_case, TfLiteDelegate* delegate, bool cancellable);

// Invokes, and cancels from another thread after 50 ms. *ms: from then on until the invoke returned.
TfLiteStatus cancel_invoke(TfLiteInterpreter* interpreter, double* ms);

double cancel_now_ms(void);
// Times are printed, not asserted: what else the machine does is no fault of a kernel.
void cancel_note(const char* name, double ms);
int cancel_print_longest(void** state); // a teardown of a group

#endif
