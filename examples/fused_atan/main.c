// SPDX-License-Identifier: Apache-2.0
// fused_atan FUSED.tflite [ATAN_OFFSET.cl]: runs y = atan(x + offset) as one custom operator, on the CPU and
// on an OpenCL device, and prints how many nodes and launches that takes. This command makes the model from
// examples/models/atan.tflite:
//
//   oclite fuse atan.tflite --outputs Identity --ops ADD,Atan --name AtanOffset --out FUSED.tflite
//
// The exit status is 77 when there is no device.
#include <stdio.h>

#include "oclite/oclite.h"
#include "oclite/opencl_custom.h"
#include "oclite/operators.h"
#include "tensorflow/lite/c/c_api.h"

#define COUNT 5

static void print_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

static void count_launch(void* user_data, const OcliteOpenclKernel* kernel) {
    *(int*)user_data += kernel->runs > 0;
    printf("  launch: %s\n", kernel->op);
}

static TfLiteStatus run(TfLiteInterpreter* interpreter, const float x[COUNT], float y[COUNT]) {
    const size_t bytes = COUNT * sizeof(float);
    TF_LITE_ENSURE_STATUS(TfLiteInterpreterAllocateTensors(interpreter));
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    TF_LITE_ENSURE_STATUS(TfLiteTensorCopyFromBuffer(input, x, bytes));
    TF_LITE_ENSURE_STATUS(TfLiteInterpreterInvoke(interpreter));
    return TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter, 0), y, bytes);
}

// Runs the model on the CPU, or on the delegate.
static TfLiteStatus run_model(const TfLiteModel* model, TfLiteDelegate* delegate) {
    static const float x[COUNT] = {-8.0f, 0.5f, 2.0f, 2.2f, 201.0f};
    float y[COUNT];
    const int* plan = NULL;
    int count = 0, launches = 0;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, print_message, NULL);
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteStatus status = oclite_add_operators(options);
    TfLiteInterpreter* interpreter = status == kTfLiteOk ? TfLiteInterpreterCreate(model, options) : NULL;
    status = run(interpreter, x, y); // NULL gives an error
    if (status == kTfLiteOk) status = oclite_interpreter_plan(interpreter, 0, &plan, &count);
    for (int i = 0; status == kTfLiteOk && i < count; i++) {
        OcliteNode node;
        status = oclite_interpreter_node(interpreter, 0, plan[i], &node);
        if (status == kTfLiteOk) printf("  node: %s\n", node.op);
    }
    if (delegate != NULL) oclite_opencl_delegate_profile(delegate, count_launch, &launches);
    if (status == kTfLiteOk && delegate != NULL) printf("  %d launch(es)\n", launches);
    for (int i = 0; status == kTfLiteOk && i < COUNT; i++) printf("  atan(%g + 1) = %.7f\n", x[i], y[i]);
    if (status != kTfLiteOk) fprintf(stderr, "fused_atan: the model cannot be run with %d floats\n", COUNT);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    return status;
}

int main(int argc, char** argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FUSED.tflite [ATAN_OFFSET.cl]\n", argv[0]);
        return 2;
    }
    TfLiteModel* model = TfLiteModelCreateFromFileWithErrorReporter(argv[1], print_message, NULL);
    if (model == NULL) return 1;
    puts("CPU");
    TfLiteStatus status = run_model(model, NULL);
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.partition = "all"; // also where the CPU is faster
    options.custom_ops = argc > 2 ? argv[2] : "examples/fused_atan/atan_offset.cl";
    options.profiling = true;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    if (delegate != NULL) {
        printf("OpenCL: %s\n", oclite_opencl_delegate_device(delegate));
        if (status == kTfLiteOk) status = run_model(model, delegate);
    } else {
        printf("no OpenCL: %s\n", oclite_opencl_last_error());
    }
    oclite_opencl_delegate_delete(delegate);
    TfLiteModelDelete(model);
    return status != kTfLiteOk ? 1 : delegate == NULL ? 77 : 0;
}
