// SPDX-License-Identifier: Apache-2.0
// An interpreter with its model, its options and what the library has reported. session.c creates and deletes
// it.
#ifndef BINDINGS_JAVA_JNI_SESSION_H_
#define BINDINGS_JAVA_JNI_SESSION_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tensorflow/lite/c/c_api.h"

typedef struct LiteJniSession {
    TfLiteModel* model;
    TfLiteInterpreterOptions* options;
    TfLiteInterpreter* interpreter;
    atomic_bool is_cancelled;
    pthread_mutex_t lock; // of what follows: any of the library's threads may report
    char* messages;       // with a zero behind them; NULL for none
    size_t length;
} LiteJniSession;

#endif
