// SPDX-License-Identifier: Apache-2.0
// A graph that a program builds by itself, and a model from its root table.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "oclite/graph.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tests/memory/scenario.h"

// What the interpreter frees counts as the library's.
static TfLiteQuantization quantization(void) {
    TfLiteAffineQuantization* affine = lite_calloc(1, sizeof *affine);
    if (affine == NULL) return (TfLiteQuantization){kTfLiteNoQuantization, NULL};
    affine->scale = TfLiteFloatArrayCreate(1);
    affine->zero_point = TfLiteIntArrayCreate(1);
    if (affine->scale != NULL) affine->scale->data[0] = 0.5f;
    if (affine->zero_point != NULL) affine->zero_point->data[0] = 1;
    return (TfLiteQuantization){kTfLiteAffineQuantization, affine};
}

static const TfLiteRegistration* library(TfLiteBuiltinOperator code) {
    int i = 0;
    while (oclite_operator(i)->builtin_code != (int)code) i++;
    return oclite_operator(i);
}

// y = x + c of int8 [2, 2], where c is at an odd address; and a second graph.
static bool build(TfLiteInterpreter* interpreter) {
    static const int dims[] = {2, 2}, inputs[] = {0, 1}, outputs[] = {2};
    static const char constant[] = {0, 1, 2, 3, 4};
    OcliteNewTensor tensor = {.type = kTfLiteInt8, .name = "t", .dims = dims, .rank = 2};
    bool ok = oclite_graph_add_tensors(interpreter, 0, 3, NULL) == kTfLiteOk;
    for (int i = 0; i < 3 && ok; i++) {
        tensor.quantization = quantization();
        if (tensor.quantization.params == NULL) return false;
        ok = i == 1 ? oclite_graph_set_constant(interpreter, 0, i, &tensor, constant + 1, 4) == kTfLiteOk
                    : oclite_graph_set_tensor(interpreter, 0, i, &tensor) == kTfLiteOk;
    }
    const OcliteNewNode add = {.inputs = inputs,
                               .input_count = 2,
                               .outputs = outputs,
                               .output_count = 1,
                               .registration = library(kTfLiteBuiltinAdd)};
    return ok && oclite_graph_set_inputs(interpreter, 0, inputs, 1) == kTfLiteOk &&
           oclite_graph_set_outputs(interpreter, 0, outputs, 1) == kTfLiteOk &&
           oclite_graph_add_node(interpreter, 0, &add, NULL) == kTfLiteOk &&
           oclite_interpreter_add_subgraphs(interpreter, 2, NULL) == kTfLiteOk &&
           oclite_graph_set_name(interpreter, 1, "second") == kTfLiteOk;
}

static bool run(TfLiteInterpreter* interpreter) {
    static const int plan[] = {0};
    if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return false;
    memcpy(TfLiteInterpreterGetTensor(interpreter, 0)->data.raw, "abcd", 4);
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return false;
    observe_tensor(TfLiteInterpreterGetTensor(interpreter, 2));
    return oclite_graph_set_plan(interpreter, 0, plan, 1) == kTfLiteOk &&
           oclite_graph_release_memory(interpreter, 0) == kTfLiteOk &&
           TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk &&
           TfLiteInterpreterInvoke(interpreter) == kTfLiteOk;
}

bool run_built_graph(const void* data) {
    (void)data;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, report_message, NULL);
    TfLiteInterpreter* interpreter = oclite_interpreter_create_empty(options);
    TfLiteInterpreterOptionsDelete(options);
    const bool ok = interpreter != NULL && build(interpreter) && run(interpreter);
    TfLiteInterpreterDelete(interpreter);
    return ok;
}

bool run_root_table(const void* data) {
    (void)data;
    size_t size;
    const int64_t paused = lite_memory_pause_failures();
    uint8_t* bytes = model_of_abs(&size);
    uint8_t* odd = malloc(size + 1); // parts that are not aligned are copied
    memcpy(odd + 1, bytes, size);
    lite_memory_resume_failures(paused);
    uint32_t root;
    memcpy(&root, bytes, sizeof root);
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        TfLiteModel* model =
            oclite_model_create_from_root((i ? odd + 1 : bytes) + root, report_message, NULL);
        ok = model != NULL;
        const bool has_root = ok && oclite_model_root(model) != NULL;
        if (ok) observe(&has_root, sizeof has_root);
        TfLiteModelDelete(model);
    }
    free(bytes);
    free(odd);
    return ok;
}
