// SPDX-License-Identifier: Apache-2.0
// Signatures of the model, and the placeholder of models that have none.
#include "core/graph/signature.h"

#include <stdio.h>
#include <string.h>

#include "core/graph/graph.h"
#include "core/graph/subgraph.h"
#include "core/model/signature.h"

// The name of input or output `position`. A tensor without a name is called by its position. NULL: out of
// memory.
static const char* tensor_name(LiteArena* arena, const TfLiteTensor* tensor, const char* kind, int position) {
    if (tensor != NULL && tensor->name != NULL && tensor->name[0] != '\0') return tensor->name;
    enum { kRoom = 32 };
    char* name = lite_arena_alloc(arena, kRoom, 1);
    if (name != NULL) snprintf(name, kRoom, "%s%d", kind, position);
    return name;
}

// Gives names to the main graph's inputs or outputs, but to absent ones. Returns how many; -1: out of memory.
static int name_tensors(LiteInterpreter* interpreter, LiteModelInts tensors, const char* kind,
                        const LiteModelTensorName** result) {
    LiteArena* arena = &interpreter->arena;
    const size_t count = (size_t)tensors.count;
    LiteModelTensorName* names = lite_arena_alloc(arena, count, sizeof *names);
    LiteModelTensorName* sorted = lite_arena_alloc(arena, count, sizeof *sorted);
    const LiteModelTensorName** order = lite_arena_alloc(arena, count, sizeof *order);
    if (names == NULL || sorted == NULL || order == NULL) return -1;
    int named = 0;
    for (int i = 0; i < tensors.count; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(interpreter->subgraphs[0], tensors.data[i]);
        if (tensor == NULL) continue;
        names[named] = (LiteModelTensorName){tensor_name(arena, tensor, kind, i), tensors.data[i]};
        if (names[named++].name == NULL) return -1;
    }
    *result = sorted;
    return lite_model_sort_names(names, named, order, sorted);
}

static const LiteModelSignature* placeholder_signature(LiteInterpreter* interpreter) {
    LiteModelSignature* signature = &interpreter->placeholder;
    if (signature->key != NULL) return signature;
    const LiteModelInts inputs = lite_subgraph_inputs(interpreter->subgraphs[0]);
    const LiteModelInts outputs = lite_subgraph_outputs(interpreter->subgraphs[0]);
    signature->input_count = name_tensors(interpreter, inputs, "input", &signature->inputs);
    signature->output_count = name_tensors(interpreter, outputs, "output", &signature->outputs);
    if (signature->input_count < 0 || signature->output_count < 0) {
        lite_report(&interpreter->reporter, "out of memory");
        return NULL;
    }
    signature->key = "<placeholder signature>";
    return signature;
}

const LiteModelSignature* lite_interpreter_signature(LiteInterpreter* interpreter, const char* key) {
    const int count = lite_model_signature_count(interpreter->model);
    if (key == NULL && count == 0) return placeholder_signature(interpreter);
    const LiteModelSignature* placeholder = &interpreter->placeholder; // has a key when it was asked for
    if (key != NULL && placeholder->key != NULL && strcmp(key, placeholder->key) == 0) return placeholder;
    for (int i = 0; i < count; i++) {
        const LiteModelSignature* signature = lite_model_signature(interpreter->model, i);
        if (key == NULL ? signature->subgraph == 0 : strcmp(signature->key, key) == 0) return signature;
    }
    if (key != NULL) {
        lite_report(&interpreter->reporter, "there is no signature '%s'", key);
    } else {
        lite_report(&interpreter->reporter,
                    "The model has signature def but none of those points to primary subgraph.");
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
