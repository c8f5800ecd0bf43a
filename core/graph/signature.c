// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "core/graph/graph.h"

static const LiteModelTensorName* name_tensors(LiteInterpreter* interpreter, LiteModelInts tensors) {
    LiteModelTensorName* names = lite_arena_alloc(&interpreter->arena, (size_t)tensors.count, sizeof *names);
    for (int i = 0; names != NULL && i < tensors.count; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(interpreter->subgraphs[0], tensors.data[i]);
        names[i] = (LiteModelTensorName){tensor ? tensor->name : "", tensors.data[i]};
    }
    return names;
}

static const LiteModelSignature* placeholder_signature(LiteInterpreter* interpreter) {
    LiteModelSignature* signature = &interpreter->placeholder;
    if (signature->key != NULL) return signature;
    const LiteModelInts inputs = lite_subgraph_inputs(interpreter->subgraphs[0]);
    const LiteModelInts outputs = lite_subgraph_outputs(interpreter->subgraphs[0]);
    signature->input_count = inputs.count;
    signature->inputs = name_tensors(interpreter, inputs);
    signature->output_count = outputs.count;
    signature->outputs = name_tensors(interpreter, outputs);
    if (signature->inputs == NULL || signature->outputs == NULL) {
        lite_report(&interpreter->reporter, "out of memory");
        return NULL;
    }
    signature->key = "<placeholder signature>";
    return signature;
}

const LiteModelSignature* lite_interpreter_signature(LiteInterpreter* interpreter, const char* key) {
    const int count = lite_model_signature_count(interpreter->model);
    if (key == NULL) {
        return count > 0 ? lite_model_signature(interpreter->model, 0) : placeholder_signature(interpreter);
    }
    for (int i = 0; i < count; i++) {
        const LiteModelSignature* signature = lite_model_signature(interpreter->model, i);
        if (strcmp(signature->key, key) == 0) return signature;
    }
    return NULL;
}

static int find_tensor(const LiteModelTensorName* names, int count, const char* name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i].name, name) == 0) return names[i].tensor;
    }
    return -1;
}

int lite_signature_input(const LiteModelSignature* signature, const char* name) {
    return find_tensor(signature->inputs, signature->input_count, name);
}

int lite_signature_output(const LiteModelSignature* signature, const char* name) {
    return find_tensor(signature->outputs, signature->output_count, name);
}
