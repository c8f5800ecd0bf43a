// SPDX-License-Identifier: Apache-2.0
// A delegate that takes nothing, but tells how a host's tensors are allocated: LiteRT's Python does not.
#include <stdlib.h>

#include "tensorflow/lite/delegates/external/external_delegate_interface.h"

static TfLiteContext* main_graph; // of the interpreter that was made last

static TfLiteStatus look(TfLiteContext* context, TfLiteDelegate* delegate) {
    (void)delegate;
    if (main_graph == NULL) main_graph = context;
    return kTfLiteOk;
}

TfLiteDelegate* tflite_plugin_create_delegate(const char* const* keys, const char* const* values,
                                              size_t count, void (*report_error)(const char*)) {
    (void)keys, (void)values, (void)count, (void)report_error;
    TfLiteDelegate* delegate = calloc(1, sizeof *delegate);
    if (delegate == NULL) return NULL;
    main_graph = NULL;
    delegate->Prepare = look;
    delegate->flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    return delegate;
}

void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
    free(delegate);
}

// The TfLiteAllocationType of a tensor of the main graph; -1: there is no such tensor.
__attribute__((visibility("default"))) int allocation_of(int tensor);
int allocation_of(int tensor) {
    if (main_graph == NULL || tensor < 0 || (size_t)tensor >= main_graph->tensors_size) return -1;
    return main_graph->tensors[tensor].allocation_type;
}
