// SPDX-License-Identifier: Apache-2.0
// selected MODEL INPUT OUTPUT: runs a model with selected operators once. The files are the bytes of the
// first input and of the first output.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "selected_ops.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#ifdef WITH_ATAN
#include "examples/custom_atan/atan_operator.h"
#endif
#ifdef WITH_OPENCL
#include "oclite/opencl.h"
#endif

static void report(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

#ifdef WITH_OPENCL
static void count_taken(void* user_data, const OcliteOpenclNode* node) {
    *(int*)user_data += node->taken;
}
#endif

static int run(TfLiteInterpreter* interpreter, const char* input_path, const char* output_path) {
    if (interpreter == NULL || TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return 1;
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    FILE* in = fopen(input_path, "rb");
    if (in == NULL) return 1;
    const size_t bytes = fread(TfLiteTensorData(input), 1, TfLiteTensorByteSize(input), in);
    fclose(in);
    if (bytes != TfLiteTensorByteSize(input)) return 1;
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return 1;
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    FILE* out = fopen(output_path, "wb");
    if (out == NULL) return 1;
    const size_t written = fwrite(TfLiteTensorData(output), 1, TfLiteTensorByteSize(output), out);
    return fclose(out) != 0 || written != TfLiteTensorByteSize(output);
}

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    TfLiteModel* model = TfLiteModelCreateFromFile(argv[1]);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, report, NULL);
    if (oclite_register_selected_ops(options) != kTfLiteOk) return 3;
#ifdef WITH_ATAN
    TfLiteOperator* atan = atan_operator_create();
    TfLiteInterpreterOptionsAddOperator(options, atan);
#endif
#ifdef WITH_OPENCL
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) return 4;
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
#endif
    // Of all that the library has: the selection is the library's, not only that of the options.
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    const int status = run(interpreter, argv[2], argv[3]);
    TfLiteInterpreterDelete(interpreter);
#ifdef WITH_OPENCL
    int taken = 0;
    oclite_opencl_delegate_explain(delegate, count_taken, &taken);
    printf("%d nodes on %s\n", taken, oclite_opencl_delegate_device(delegate));
    oclite_opencl_delegate_delete(delegate);
#endif
#ifdef WITH_ATAN
    TfLiteOperatorDelete(atan);
#endif
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    return status;
}
