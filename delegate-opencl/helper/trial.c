// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/helper/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"

// Results of floats may differ by so much of the largest of them, because drivers compute functions and sums
// in ways of their own. All else has to be the same.
#define FLOAT_ERROR 1e-4

typedef struct Side {
    void* bytes; // of the model: aligned
    TfLiteModel* model;
    TfLiteInterpreterOptions* options;
    TfLiteInterpreter* interpreter;
    char message[LITE_CL_TRIAL_DETAIL]; // the first one
} Side;

static void keep_message(void* user_data, const char* format, va_list args) {
    Side* side = user_data;
    if (side->message[0] == '\0') vsnprintf(side->message, sizeof side->message, format, args);
}

static void close_side(Side* side) {
    TfLiteInterpreterDelete(side->interpreter);
    TfLiteInterpreterOptionsDelete(side->options);
    TfLiteModelDelete(side->model);
    free(side->bytes);
}

static bool run_side(Side* side, const SelftestCase* tried, TfLiteDelegate* delegate) {
    *side = (Side){.bytes = malloc(tried->model.size + 1)};
    if (side->bytes == NULL) return false;
    memcpy(side->bytes, tried->model.data, tried->model.size);
    side->model = TfLiteModelCreateWithErrorReporter(side->bytes, tried->model.size, keep_message, side);
    side->options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(side->options, keep_message, side);
    TfLiteInterpreterOptionsSetNumThreads(side->options, 1);
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(side->options, delegate);
    side->interpreter = TfLiteInterpreterCreate(side->model, side->options);
    if (side->interpreter == NULL || TfLiteInterpreterAllocateTensors(side->interpreter) != kTfLiteOk)
        return false;
    if (TfLiteInterpreterGetInputTensorCount(side->interpreter) != tried->input_count) return false;
    for (int i = 0; i < tried->input_count; i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(side->interpreter, i);
        if (TfLiteTensorCopyFromBuffer(tensor, tried->inputs[i].data, tried->inputs[i].size) != kTfLiteOk)
            return false;
    }
    return TfLiteInterpreterInvoke(side->interpreter) == kTfLiteOk;
}

// By how much floats differ, relative to the largest of them: 0 to infinity.
static double float_error(const float* got, const float* want, size_t count) {
    double largest = 0.0, most = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(want[i])) largest = fmax(largest, fabs((double)want[i]));
    }
    for (size_t i = 0; i < count; i++) {
        if (got[i] == want[i] || (isnan(got[i]) && isnan(want[i]))) continue;
        if (!isfinite(got[i]) || !isfinite(want[i])) return (double)INFINITY;
        most = fmax(most, fabs((double)got[i] - (double)want[i]));
    }
    return largest > 0.0 ? most / largest : most;
}

static void find_wrong(const Side* got, const Side* want, int output, LiteClVerdict* verdict) {
    const TfLiteTensor* a = TfLiteInterpreterGetOutputTensor(got->interpreter, output);
    const TfLiteTensor* b = TfLiteInterpreterGetOutputTensor(want->interpreter, output);
    const size_t bytes = TfLiteTensorByteSize(b);
    if (TfLiteTensorType(a) != TfLiteTensorType(b) || TfLiteTensorByteSize(a) != bytes) {
        verdict->trial = kLiteClTrialWrong;
        lite_cl_verdict_detail(verdict, "output %d has another type or size", output);
    } else if (TfLiteTensorType(b) == kTfLiteFloat32 || TfLiteTensorType(b) == kTfLiteComplex64) {
        const double error = float_error(TfLiteTensorData(a), TfLiteTensorData(b), bytes / sizeof(float));
        if (error <= FLOAT_ERROR) return;
        verdict->trial = kLiteClTrialWrong;
        lite_cl_verdict_detail(verdict, "max error %.2g", error);
    } else if (bytes > 0 && memcmp(TfLiteTensorData(a), TfLiteTensorData(b), bytes) != 0) {
        verdict->trial = kLiteClTrialWrong;
        lite_cl_verdict_detail(verdict, "%s differ", TfLiteTypeGetName(TfLiteTensorType(b)));
    }
}

static void count_left(void* user_data, const OcliteOpenclNode* node) {
    int* left = user_data;
    *left += !node->taken;
}

void trial_run(const SelftestCase* tried, TfLiteDelegate* delegate, LiteClVerdict* verdict) {
    Side cpu, device = {0};
    LiteClVerdict found = {.trial = kLiteClTrialRight};
    int left = 0;
    if (!run_side(&cpu, tried, NULL)) { // nothing to compare with
        found.trial = kLiteClTrialUntaken;
        lite_cl_verdict_detail(&found, "%s", cpu.message);
    } else {
        const bool ran = run_side(&device, tried, delegate);
        oclite_opencl_delegate_explain(delegate, count_left, &left);
        const bool works = oclite_opencl_delegate_status(delegate) == kOcliteOpenclWorking;
        if (!ran || !works) {
            found.trial = kLiteClTrialFails;
            lite_cl_verdict_detail(&found, "%s",
                                   works ? device.message : oclite_opencl_delegate_failure(delegate));
        } else if (left > 0) {
            found.trial = kLiteClTrialUntaken;
        }
        const int outputs = TfLiteInterpreterGetOutputTensorCount(cpu.interpreter);
        for (int i = 0; i < outputs && found.trial == kLiteClTrialRight; i++)
            find_wrong(&device, &cpu, i, &found);
    }
    close_side(&device);
    close_side(&cpu);
    if (found.trial <= verdict->trial && verdict->trial != kLiteClTrialUntried) return;
    verdict->trial = found.trial;
    memcpy(verdict->detail, found.detail, sizeof verdict->detail);
}
