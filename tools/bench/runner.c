// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/runner.h"

#include <stdio.h>
#include <string.h>

#include "oclite/oclite.h"

enum { MAX_KEYS = 256 };

static ToolStatus no_signature(const TfLiteInterpreter* interpreter, const char* key, ToolMessage* message) {
    char keys[MAX_KEYS] = "";
    const int count = TfLiteInterpreterGetSignatureCount(interpreter);
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(keys);
        snprintf(keys + length, sizeof(keys) - length, "%s%s", i > 0 ? ", " : "",
                 TfLiteInterpreterGetSignatureKey(interpreter, i));
    }
    return tool_fail(message, kToolFile, "--signature_to_run_for: the model has no signature '%s'; it has %s",
                     key, count > 0 ? keys : "none");
}

ToolStatus bench_runner_open(BenchRunner* runner, TfLiteInterpreter* interpreter, const char* key,
                             ToolMessage* message) {
    *runner = (BenchRunner){.interpreter = interpreter};
    const int count = TfLiteInterpreterGetSignatureCount(interpreter);
    int chosen = -1;
    for (int i = 0; i < count && key != NULL && *key; i++) {
        if (strcmp(TfLiteInterpreterGetSignatureKey(interpreter, i), key) == 0) chosen = i;
    }
    if (key != NULL && *key && chosen < 0) return no_signature(interpreter, key, message);
    if (chosen >= 0) {
        runner->signature = TfLiteInterpreterGetSignatureRunner(interpreter, key);
        if (runner->signature == NULL)
            return tool_fail(message, kToolLoad, "the signature '%s' cannot be run", key);
        runner->subgraph = oclite_interpreter_signature_subgraph(interpreter, chosen);
    }
    oclite_interpreter_inputs(interpreter, runner->subgraph, &runner->inputs, &runner->input_count);
    oclite_interpreter_outputs(interpreter, runner->subgraph, &runner->outputs, &runner->output_count);
    return kToolOk;
}

void bench_runner_close(BenchRunner* runner) {
    TfLiteSignatureRunnerDelete(runner->signature);
    *runner = (BenchRunner){0};
}

static TfLiteTensor* tensor_at(const BenchRunner* runner, int tensor) {
    if (tensor < 0) return NULL;
    return (TfLiteTensor*)oclite_interpreter_tensor(runner->interpreter, runner->subgraph, tensor);
}

TfLiteTensor* bench_runner_input(const BenchRunner* runner, int index) {
    return tensor_at(runner, runner->inputs[index]);
}

const TfLiteTensor* bench_runner_output(const BenchRunner* runner, int index) {
    return tensor_at(runner, runner->outputs[index]);
}

TfLiteStatus bench_runner_resize(const BenchRunner* runner, int index, const ToolShape* shape) {
    return oclite_interpreter_resize_input(runner->interpreter, runner->subgraph, runner->inputs[index],
                                           shape->dims, shape->rank);
}

TfLiteStatus bench_runner_allocate(const BenchRunner* runner) {
    return runner->signature != NULL ? TfLiteSignatureRunnerAllocateTensors(runner->signature)
                                     : TfLiteInterpreterAllocateTensors(runner->interpreter);
}

TfLiteStatus bench_runner_invoke(const BenchRunner* runner) {
    return runner->signature != NULL ? TfLiteSignatureRunnerInvoke(runner->signature)
                                     : TfLiteInterpreterInvoke(runner->interpreter);
}
