// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/options/priorities.h"

#include "tensorflow/lite/delegates/gpu/delegate_options.h"

enum {
    kAuto = TFLITE_GPU_INFERENCE_PRIORITY_AUTO,
    kMaxPrecision = TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION,
    kLast = TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE
};

LiteClPriorities lite_cl_priorities_default(void) {
    return (LiteClPriorities){.is_precision_loss_allowed = -1, .order = {kMaxPrecision, kAuto, kAuto}};
}

// Every priority at most once, and AUTO only behind those that are named.
static bool is_order(const int order[3]) {
    for (int i = 0; i < 3; i++) {
        if (order[i] < kAuto || order[i] > kLast) return false;
        for (int k = 0; k < i; k++) {
            if (order[k] == order[i] && order[i] != kAuto) return false;
            if (order[k] == kAuto && order[i] != kAuto) return false;
        }
    }
    return order[0] != kAuto;
}

TfLiteStatus lite_cl_priorities_precision(const LiteClPriorities* priorities, LiteClPrecision* precision,
                                          const LiteReporter* reporter) {
    const int allowed = priorities->is_precision_loss_allowed;
    const int* order = priorities->order;
    if (allowed == -1 && !is_order(order)) {
        return lite_report(
            reporter,
            "OpenCL: option inference_priority1: %d, %d, %d is no order of priorities: each of 1 "
            "to 3 at most once, and 0 behind them",
            order[0], order[1], order[2]);
    }
    const bool full = allowed == -1 ? order[0] == kMaxPrecision : allowed == 0;
    *precision = full ? kLiteClFloat32 : kLiteClFloat16;
    return kTfLiteOk;
}
