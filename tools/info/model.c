// SPDX-License-Identifier: Apache-2.0
#include "tools/info/model.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tools/info/metadata.h"

// ---- Inputs, outputs, signatures ----

static void add_shape(const TfLiteTensor* tensor, cJSON* facts) {
    cJSON* shape = cJSON_AddArrayToObject(facts, "shape");
    for (int d = 0; d < TfLiteTensorNumDims(tensor); d++) {
        cJSON_AddItemToArray(shape, cJSON_CreateNumber(TfLiteTensorDim(tensor, d)));
    }
}

static void add_ends(const TfLiteInterpreter* interpreter, const char* key, const int* tensors, int count,
                     cJSON* facts) {
    cJSON* array = cJSON_AddArrayToObject(facts, key);
    for (int i = 0; i < count; i++) {
        const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, 0, tensors[i]);
        cJSON* end = cJSON_CreateObject();
        cJSON_AddNumberToObject(end, "tensor", tensors[i]);
        if (tensor != NULL) {
            tool_facts_add_text(end, "name", TfLiteTensorName(tensor));
            tool_facts_add_text(end, "type", TfLiteTypeGetName(TfLiteTensorType(tensor)));
            add_shape(tensor, end);
        }
        cJSON_AddItemToArray(array, end);
    }
}

static void add_name(const char* name, const TfLiteTensor* tensor, cJSON* array) {
    cJSON* entry = cJSON_CreateObject();
    tool_facts_add_text(entry, "name", name);
    if (tensor != NULL) {
        tool_facts_add_text(entry, "tensor_name", TfLiteTensorName(tensor));
        tool_facts_add_text(entry, "type", TfLiteTypeGetName(TfLiteTensorType(tensor)));
        add_shape(tensor, entry);
    }
    cJSON_AddItemToArray(array, entry);
}

static void add_signatures(const TfLiteInterpreter* interpreter, cJSON* facts) {
    cJSON* array = cJSON_AddArrayToObject(facts, "signatures");
    for (int i = 0; i < TfLiteInterpreterGetSignatureCount(interpreter); i++) {
        const char* key = TfLiteInterpreterGetSignatureKey(interpreter, i);
        cJSON* signature = cJSON_CreateObject();
        tool_facts_add_text(signature, "key", key);
        cJSON_AddNumberToObject(signature, "subgraph", oclite_interpreter_signature_subgraph(interpreter, i));
        cJSON* inputs = cJSON_AddArrayToObject(signature, "inputs");
        cJSON* outputs = cJSON_AddArrayToObject(signature, "outputs");
        cJSON_AddItemToArray(array, signature);
        TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, key);
        if (runner == NULL) continue;
        for (int n = 0; n < (int)TfLiteSignatureRunnerGetInputCount(runner); n++) {
            const char* name = TfLiteSignatureRunnerGetInputName(runner, n);
            add_name(name, TfLiteSignatureRunnerGetInputTensor(runner, name), inputs);
        }
        for (int n = 0; n < (int)TfLiteSignatureRunnerGetOutputCount(runner); n++) {
            const char* name = TfLiteSignatureRunnerGetOutputName(runner, n);
            add_name(name, TfLiteSignatureRunnerGetOutputTensor(runner, name), outputs);
        }
        TfLiteSignatureRunnerDelete(runner);
    }
}

// ---- Buffers and parameters ----

typedef struct Users {
    int count;        // tensors
    const char* name; // of the first one
    double weights;   // elements, where these are floats or quantized
} Users;

// Counts weights only: integers without quantization are shapes, axes and the like.
static double count_weights(const TfLiteTensor* tensor, const OcliteEditTensor* stored) {
    const bool is_real = stored->type == kTfLiteFloat32 || stored->type == kTfLiteFloat16 ||
                         stored->type == kTfLiteFloat64 || stored->type == kTfLiteBFloat16;
    const bool is_quantized = tensor != NULL && tensor->quantization.type != kTfLiteNoQuantization;
    double elements = is_real || is_quantized ? 1 : 0;
    for (int d = 0; d < stored->rank; d++) elements *= stored->shape[d];
    return elements;
}

static void count_users(const Info* info, Users* users, int buffer_count) {
    OcliteEditSubgraph subgraph;
    for (int g = 0; oclite_edit_subgraph(info->edit, g, &subgraph) == kTfLiteOk; g++) {
        for (int t = 0; t < subgraph.tensor_count; t++) {
            OcliteEditTensor stored;
            if (oclite_edit_tensor(info->edit, g, t, &stored) != kTfLiteOk || stored.data == NULL) continue;
            if (stored.buffer < 0 || stored.buffer >= buffer_count) continue;
            Users* of = &users[stored.buffer];
            const double weights =
                count_weights(oclite_interpreter_tensor(info->session.interpreter, g, t), &stored);
            if (weights > of->weights) of->weights = weights;
            if (of->count++ == 0) of->name = stored.name;
        }
    }
}

static void add_buffers(const Info* info, cJSON* facts) {
    const int count = oclite_edit_buffer_count(info->edit);
    Users* users = calloc((size_t)count + 1, sizeof(*users));
    if (users == NULL) return;
    count_users(info, users, count);
    double bytes = 0;
    double weights = 0;
    size_t most = 0;
    int largest = -1;
    int filled = 0;
    int shared = 0;
    for (int i = 0; i < count; i++) {
        const void* data;
        size_t size;
        if (oclite_edit_buffer(info->edit, i, &data, &size) != kTfLiteOk || data == NULL) continue;
        filled++;
        bytes += (double)size;
        weights += users[i].weights;
        shared += users[i].count > 1;
        if (size > most) {
            most = size;
            largest = i;
        }
    }
    cJSON* buffers = cJSON_AddObjectToObject(facts, "buffers");
    cJSON_AddNumberToObject(buffers, "count", count);
    cJSON_AddNumberToObject(buffers, "with_contents", filled);
    cJSON_AddNumberToObject(buffers, "bytes", bytes);
    cJSON_AddNumberToObject(buffers, "shared_by_tensors", shared);
    if (largest >= 0) {
        cJSON* object = cJSON_AddObjectToObject(buffers, "largest");
        cJSON_AddNumberToObject(object, "buffer", largest);
        cJSON_AddNumberToObject(object, "bytes", (double)most);
        if (users[largest].name != NULL) tool_facts_add_text(object, "tensor_name", users[largest].name);
    }
    cJSON_AddNumberToObject(facts, "parameters", weights);
    free(users);
}

// ---- Operators ----

// An operator as a node uses it, with its version and the types of its tensors.
typedef struct Use {
    const char* op;
    int version;
    char types[160];
} Use;

// Lists "INT8 INT8 INT32"; equal types that follow each other are listed once.
static void append_types(const TfLiteInterpreter* interpreter, int subgraph, const int* tensors, int count,
                         char* text, size_t room) {
    const char* last = "";
    for (int i = 0; i < count; i++) {
        const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, subgraph, tensors[i]);
        const char* type = tensor != NULL ? TfLiteTypeGetName(TfLiteTensorType(tensor)) : last;
        if (strcmp(type, last) == 0) continue;
        const size_t used = strlen(text);
        snprintf(text + used, room - used, "%s%s", used > 0 ? " " : "", type);
        last = type;
    }
}

static int compare_uses(const void* left, const void* right) {
    const Use* a = left;
    const Use* b = right;
    const int names = strcmp(a->op, b->op);
    if (names != 0) return names;
    if (a->version != b->version) return a->version < b->version ? -1 : 1;
    return strcmp(a->types, b->types);
}

static size_t list_uses(const TfLiteInterpreter* interpreter, Use* uses) {
    size_t count = 0;
    for (int g = 0; g < oclite_interpreter_subgraph_count(interpreter); g++) {
        OcliteNode node;
        for (int n = 0; oclite_interpreter_node(interpreter, g, n, &node) == kTfLiteOk; n++) {
            if (node.builtin_code == kTfLiteBuiltinDelegate) continue;
            if (uses != NULL) {
                Use* use = &uses[count];
                *use = (Use){.op = node.op, .version = node.version};
                append_types(interpreter, g, node.inputs, node.input_count, use->types, sizeof(use->types));
                const size_t used = strlen(use->types);
                snprintf(use->types + used, sizeof(use->types) - used, " ->");
                append_types(interpreter, g, node.outputs, node.output_count, use->types, sizeof(use->types));
            }
            count++;
        }
    }
    return count;
}

static void add_operators(const TfLiteInterpreter* interpreter, cJSON* facts) {
    cJSON* array = cJSON_AddArrayToObject(facts, "operators");
    const size_t count = list_uses(interpreter, NULL);
    Use* uses = calloc(count + 1, sizeof(*uses));
    if (uses == NULL) return;
    list_uses(interpreter, uses);
    qsort(uses, count, sizeof(*uses), compare_uses);
    for (size_t first = 0; first < count;) {
        size_t end = first + 1;
        while (end < count && compare_uses(&uses[first], &uses[end]) == 0) end++;
        cJSON* op = cJSON_CreateObject();
        tool_facts_add_text(op, "op", uses[first].op);
        cJSON_AddNumberToObject(op, "version", uses[first].version);
        tool_facts_add_text(op, "types", uses[first].types);
        cJSON_AddNumberToObject(op, "nodes", (double)(end - first));
        cJSON_AddItemToArray(array, op);
        first = end;
    }
    free(uses);
}

void info_add_model(const Info* info, cJSON* facts) {
    const TfLiteInterpreter* interpreter = info->session.interpreter;
    size_t size = 0;
    const int* tensors = NULL;
    int count = 0;
    oclite_model_data(info->session.model, &size);
    cJSON_AddNumberToObject(facts, "file_bytes", (double)size);
    tool_facts_add_text(facts, "description", oclite_model_description(info->session.model));
    info_add_metadata(info->session.model, facts);
    if (oclite_interpreter_inputs(interpreter, 0, &tensors, &count) == kTfLiteOk) {
        add_ends(interpreter, "inputs", tensors, count, facts);
    }
    if (oclite_interpreter_outputs(interpreter, 0, &tensors, &count) == kTfLiteOk) {
        add_ends(interpreter, "outputs", tensors, count, facts);
    }
    add_signatures(interpreter, facts);
    if (info->edit != NULL) add_buffers(info, facts);
    add_operators(interpreter, facts);
}
