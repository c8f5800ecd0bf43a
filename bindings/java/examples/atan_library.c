// SPDX-License-Identifier: Apache-2.0
// The custom operator "Atan" in a native library, for Interpreter.Options.addCustomOperator("Atan", library,
// "atan_operator").
#include <pthread.h>

#include "examples/custom_atan/atan_operator.h"

static TfLiteOperator* made;

static void make(void) {
    made = atan_operator_create();
}

// Exported. Returns the operator, the same each time, which lives as long as the library; NULL when memory
// runs out.
TFL_CAPI_EXPORT TfLiteOperator* atan_operator(void);

TfLiteOperator* atan_operator(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT; // interpreters may be made on several threads
    pthread_once(&once, make);
    return made;
}
