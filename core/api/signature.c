// SPDX-License-Identifier: Apache-2.0
// TfLiteSignatureRunner*: a signature of the model and the subgraph it runs.
#include "core/graph/signature.h"
#include "core/api/handles.h"
#include "core/graph/allocate.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"

struct TfLiteSignatureRunner {
    LiteInterpreter* interpreter;
    const LiteModelSignature* signature;
    LiteSubgraph* subgraph;
};

int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter) {
    if (interpreter == NULL) return 0;
    return lite_model_signature_count(lite_interpreter_model(as_interpreter(interpreter)));
}

const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter, int32_t signature_index) {
    if (signature_index < 0 || signature_index >= TfLiteInterpreterGetSignatureCount(interpreter))
        return NULL;
    const LiteModel* model = lite_interpreter_model(as_interpreter(interpreter));
    return lite_model_signature(model, signature_index)->key;
}

TfLiteSignatureRunner* TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter* interpreter,
                                                           const char* signature_key) {
    if (interpreter == NULL) return NULL;
    LiteInterpreter* owner = as_interpreter(interpreter);
    const LiteModelSignature* signature = lite_interpreter_signature(owner, signature_key);
    if (signature == NULL) return NULL;
    TfLiteSignatureRunner* runner = lite_malloc(sizeof *runner);
    if (runner == NULL) return NULL;
    runner->interpreter = owner;
    runner->signature = signature;
    runner->subgraph = lite_interpreter_subgraph(owner, signature->subgraph);
    return runner;
}

void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner) {
    lite_free(signature_runner);
}

size_t TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner* signature_runner) {
    return signature_runner ? (size_t)signature_runner->signature->input_count : 0;
}

const char* TfLiteSignatureRunnerGetInputName(const TfLiteSignatureRunner* signature_runner,
                                              int32_t input_index) {
    if (signature_runner == NULL || input_index < 0) return NULL;
    const LiteModelSignature* signature = signature_runner->signature;
    return input_index < signature->input_count ? signature->inputs[input_index].name : NULL;
}

size_t TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner* signature_runner) {
    return signature_runner ? (size_t)signature_runner->signature->output_count : 0;
}

const char* TfLiteSignatureRunnerGetOutputName(const TfLiteSignatureRunner* signature_runner,
                                               int32_t output_index) {
    if (signature_runner == NULL || output_index < 0) return NULL;
    const LiteModelSignature* signature = signature_runner->signature;
    return output_index < signature->output_count ? signature->outputs[output_index].name : NULL;
}

static void report_missing(const TfLiteSignatureRunner* runner, const char* kind, const char* name) {
    lite_report(lite_interpreter_reporter(runner->interpreter), "%s name %s was not found", kind, name);
}

TfLiteTensor* TfLiteSignatureRunnerGetInputTensor(TfLiteSignatureRunner* signature_runner,
                                                  const char* input_name) {
    if (signature_runner == NULL || input_name == NULL) return NULL;
    const int tensor = lite_signature_input(signature_runner->signature, input_name);
    if (tensor < 0) report_missing(signature_runner, "Input", input_name);
    return lite_subgraph_tensor(signature_runner->subgraph, tensor);
}

const TfLiteTensor* TfLiteSignatureRunnerGetOutputTensor(const TfLiteSignatureRunner* signature_runner,
                                                         const char* output_name) {
    if (signature_runner == NULL || output_name == NULL) return NULL;
    const int tensor = lite_signature_output(signature_runner->signature, output_name);
    if (tensor < 0) report_missing(signature_runner, "Output", output_name);
    return lite_subgraph_tensor(signature_runner->subgraph, tensor);
}

TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(TfLiteSignatureRunner* signature_runner,
                                                    const char* input_name, const int* input_dims,
                                                    int32_t input_dims_size) {
    if (signature_runner == NULL || input_name == NULL) return kTfLiteError;
    const LiteReporter* reporter = lite_interpreter_reporter(signature_runner->interpreter);
    const int tensor = lite_signature_input(signature_runner->signature, input_name);
    if (tensor < 0) return lite_report(reporter, "Input name %s was not found", input_name);
    if (input_dims_size < 0 || (input_dims_size > 0 && input_dims == NULL)) {
        return lite_report(reporter, "resize: no dimensions for input '%s'", input_name);
    }
    return lite_subgraph_resize_input_strict(signature_runner->subgraph, tensor, input_dims, input_dims_size);
}

TfLiteStatus TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner* signature_runner) {
    return signature_runner ? lite_subgraph_allocate(signature_runner->subgraph) : kTfLiteError;
}

TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner* signature_runner) {
    return signature_runner ? lite_subgraph_invoke(signature_runner->subgraph) : kTfLiteError;
}

TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner* signature_runner) {
    return signature_runner ? lite_interpreter_cancel(signature_runner->interpreter) : kTfLiteError;
}
