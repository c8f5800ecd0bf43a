// SPDX-License-Identifier: Apache-2.0
#include "tools/info/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tools/common/tensor_io.h"

static const cJSON* get(const cJSON* object, const char* key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double number(const cJSON* object, const char* key) {
    const cJSON* value = get(object, key);
    return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

static void print_text(const cJSON* object, const char* key) {
    const cJSON* value = get(object, key);
    tool_print_name(cJSON_IsString(value) ? value->valuestring : "");
}

// "FLOAT32 (1x224x224x3) scale 0.5 zero point 3"
static void print_tensor(const TfLiteTensor* tensor) {
    char text[TOOL_SHAPE_TEXT];
    const ToolShape shape = tool_tensor_shape(tensor);
    const TfLiteQuantizationParams quantization = TfLiteTensorQuantizationParams(tensor);
    printf("%s (%s)", TfLiteTypeGetName(TfLiteTensorType(tensor)), tool_shape_text(&shape, text));
    if (quantization.scale != 0)
        printf(" scale %.9g zero point %d", quantization.scale, quantization.zero_point);
    const TfLiteAffineQuantization* affine = tensor->quantization.params;
    const bool is_affine =
        tensor->quantization.type == kTfLiteAffineQuantization && affine != NULL && affine->scale != NULL;
    if (is_affine && affine->scale->size > 1) {
        printf(" %d scales along %d", affine->scale->size, affine->quantized_dimension);
    }
}

// ---- The file ----

static void print_file(const cJSON* facts) {
    const cJSON* entry;
    printf("file: %.0f bytes", number(facts, "file_bytes"));
    if (cJSON_GetStringValue(get(facts, "description"))[0]) {
        printf(", \"");
        print_text(facts, "description");
        printf("\"");
    }
    printf("\n");
    cJSON_ArrayForEach(entry, get(facts, "metadata")) {
        printf("metadata: \"");
        print_text(entry, "name");
        printf("\" %.0f bytes", number(entry, "bytes"));
        if (get(entry, "text") != NULL) {
            printf(": ");
            print_text(entry, "text");
        }
        printf("\n");
        for (const cJSON* fact = entry->child; fact != NULL; fact = fact->next) {
            if (cJSON_IsObject(fact)) tool_facts_print(fact, 2); // known contents
        }
    }
    cJSON_ArrayForEach(entry, get(facts, "packed_files")) {
        printf("packed file: \"");
        print_text(entry, "name");
        printf("\" ");
        if (get(entry, "bytes") != NULL) {
            printf("%.0f bytes\n", number(entry, "bytes"));
        } else {
            print_text(entry, "absent");
            printf("\n");
        }
    }
    if (get(facts, "metadata_damaged") != NULL) {
        printf("metadata damaged: ");
        print_text(facts, "metadata_damaged");
        printf("\n");
    }
}

static void print_end(const char* kind, int index, const TfLiteTensor* tensor) {
    printf("%s %d: ", kind, index);
    if (tensor == NULL) { // the model lists -1
        printf("absent\n");
        return;
    }
    print_tensor(tensor);
    printf(" \"");
    tool_print_name(TfLiteTensorName(tensor));
    printf("\"\n");
}

static void print_ends(const TfLiteInterpreter* interpreter) {
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        print_end("input", i, TfLiteInterpreterGetInputTensor(interpreter, i));
    }
    for (int i = 0; i < TfLiteInterpreterGetOutputTensorCount(interpreter); i++) {
        print_end("output", i, TfLiteInterpreterGetOutputTensor(interpreter, i));
    }
}

static void print_names(const cJSON* signature, const char* key, const char* kind) {
    const cJSON* end;
    cJSON_ArrayForEach(end, get(signature, key)) {
        printf("  %s \"", kind);
        print_text(end, "name");
        printf("\": tensor \"");
        print_text(end, "tensor_name");
        printf("\"\n");
    }
}

static void print_signatures(const cJSON* facts) {
    const cJSON* signature;
    cJSON_ArrayForEach(signature, get(facts, "signatures")) {
        printf("signature: \"");
        print_text(signature, "key");
        printf("\" graph %.0f\n", number(signature, "subgraph"));
        print_names(signature, "inputs", "input");
        print_names(signature, "outputs", "output");
    }
}

static void print_buffers(const cJSON* facts) {
    const cJSON* buffers = get(facts, "buffers");
    if (buffers == NULL) return;
    printf("buffers: %.0f, %.0f of them with contents: %.0f bytes", number(buffers, "count"),
           number(buffers, "with_contents"), number(buffers, "bytes"));
    const cJSON* largest = get(buffers, "largest");
    if (largest != NULL) {
        printf("; the largest: %.0f bytes", number(largest, "bytes"));
    }
    if (get(largest, "tensor_name") != NULL) {
        printf(", \"");
        print_text(largest, "tensor_name");
        printf("\"");
    }
    if (number(buffers, "shared_by_tensors") > 0) {
        printf("; %.0f shared by several tensors", number(buffers, "shared_by_tensors"));
    }
    printf("\nparameters: %.0f\n", number(facts, "parameters"));
}

static void print_operators(const cJSON* facts) {
    const cJSON* op;
    const cJSON* operators = get(facts, "operators");
    if (cJSON_GetArraySize(operators) > 0) printf("operators:\n");
    cJSON_ArrayForEach(op, operators) {
        printf("  ");
        print_text(op, "op");
        printf(" v%.0f %.0f x ", number(op, "version"), number(op, "nodes"));
        print_text(op, "types");
        printf("\n");
    }
}

// ---- Nodes ----

static void print_list(const TfLiteInterpreter* interpreter, int graph, const int* tensors, int count) {
    for (int i = 0; i < count; i++) {
        const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, graph, tensors[i]);
        if (i > 0) printf(", ");
        if (tensor == NULL) {
            printf("-");
            continue;
        }
        printf("%d ", tensors[i]);
        print_tensor(tensor);
    }
}

static void print_work(const cJSON* facts) {
    if (cJSON_IsNumber(get(facts, "operations"))) {
        printf("%.0f operations", number(facts, "operations"));
    } else {
        printf("operations not known");
    }
    printf(", %.0f bytes read, %.0f written", number(facts, "bytes_read"), number(facts, "bytes_written"));
}

static void print_parameters(const cJSON* facts) {
    const cJSON* parameters = get(facts, "parameters");
    const cJSON* parameter;
    cJSON_ArrayForEach(parameter, parameters) {
        printf(parameter == parameters->child ? "      " : ", ");
        tool_print_name(parameter->string);
        printf(" ");
        tool_print_name(cJSON_GetStringValue(parameter));
    }
    if (parameters != NULL && parameters->child != NULL) printf("\n");
}

static void print_node(const TfLiteInterpreter* interpreter, int graph, int n, const OcliteNode* node,
                       const cJSON* facts) {
    printf("  #%d ", n);
    tool_print_name(node->op);
    if (node->version > 0) printf(" v%d", node->version);
    if (node->is_delegate) {
        printf(" [runs %d nodes]", node->replaced_count);
    } else if (node->delegate_node >= 0) {
        printf(" [in #%d]", node->delegate_node);
    } else {
        printf(node->resolved ? " [CPU]" : " [unresolved]");
    }
    printf(" ");
    print_list(interpreter, graph, node->inputs, node->input_count);
    printf(" -> ");
    print_list(interpreter, graph, node->outputs, node->output_count);
    printf("\n      ");
    print_work(facts);
    printf("\n");
    print_parameters(facts);
}

static void print_subgraphs(const TfLiteInterpreter* interpreter, const cJSON* facts) {
    const cJSON* subgraph;
    int graph = 0;
    cJSON_ArrayForEach(subgraph, get(facts, "subgraphs")) {
        OcliteNode node;
        printf("graph %d \"", graph);
        print_text(subgraph, "name");
        printf("\":\n");
        const cJSON* about = get(subgraph, "nodes");
        about = about != NULL ? about->child : NULL;
        for (int n = 0; about != NULL && oclite_interpreter_node(interpreter, graph, n, &node) == kTfLiteOk;
             n++) {
            print_node(interpreter, graph, n, &node, about);
            about = about->next;
        }
        const cJSON* work = get(subgraph, "work");
        printf("  all: ");
        print_work(work);
        if (number(work, "nodes_not_known") > 0) {
            printf("; %.0f of %.0f nodes not known", number(work, "nodes_not_known"), number(work, "nodes"));
        }
        printf("\n");
        graph++;
    }
}

// ---- Delegates ----

static void print_time(const cJSON* costs, const char* key, const char* measured, const char* where) {
    if (get(costs, key) == NULL) return;
    printf(" %.1f us %s (%s)", number(costs, key), where,
           cJSON_IsTrue(get(costs, measured)) ? "measured" : "estimated");
}

static void print_placement(const cJSON* placement) {
    static const struct {
        const char *run, *sum, *where;
    } rows[] = {{"host_run_us", "host_us", "on the CPU"},
                {"all_run_us", "all_us", "with all on the device that it can run"},
                {"overlapped_run_us", "", "with both at work at the same time"},
                {"chosen_run_us", "chosen_us", "as chosen"}};
    printf("  graph %.0f: an inference takes", number(placement, "subgraph"));
    enum { ROWS = sizeof rows / sizeof rows[0] };
    for (size_t r = 0; r < ROWS; r++) {
        const bool is_run = get(placement, rows[r].run) != NULL;
        if (!is_run && get(placement, rows[r].sum) == NULL) continue;
        if (r == ROWS - 1 && cJSON_IsTrue(get(placement, "overlapped"))) continue; // that is the row before
        printf("%s %.1f us %s%s", r > 0 ? "," : "", number(placement, is_run ? rows[r].run : rows[r].sum),
               rows[r].where, is_run ? "" : " (sum of its nodes)");
    }
    printf("\n");
}

static void print_delegate(const char* what, const cJSON* facts) {
    if (get(facts, "failed") != NULL) {
        printf("%s: ", what);
        print_text(facts, "failed");
        printf("\n");
        return;
    }
    if (get(facts, "warning") != NULL) {
        printf("%s: ", what);
        print_text(facts, "warning");
        printf("\n");
    }
    printf("%s: ", what);
    print_text(facts, "device");
    const cJSON *left = get(facts, "left_to_the_cpu"), *costs;
    printf(cJSON_GetArraySize(left) > 0 ? "; left to the CPU:\n" : "\n");
    cJSON_ArrayForEach(left, get(facts, "left_to_the_cpu")) {
        printf("  graph %.0f #%.0f ", number(left, "subgraph"), number(left, "node"));
        print_text(left, "op");
        printf(": ");
        print_text(left, "reason");
        printf("\n");
    }
    cJSON_ArrayForEach(costs, get(facts, "costs")) {
        if (!cJSON_IsTrue(get(costs, "taken"))) continue;
        printf("  graph %.0f #%.0f ", number(costs, "subgraph"), number(costs, "node"));
        print_text(costs, "op");
        printf(" on the device:");
        print_time(costs, "device_us", "device_measured", "there");
        print_time(costs, "host_us", "host_measured", "on the host");
        printf("\n");
    }
    cJSON_ArrayForEach(costs, get(facts, "placements")) {
        print_placement(costs);
    }
    printf("  %.0f of %.0f nodes run on the delegate\n", number(facts, "nodes_taken"),
           number(facts, "nodes_asked"));
}

void info_print(const Info* info, const cJSON* facts) {
    const TfLiteInterpreter* interpreter = info->session.interpreter;
    print_file(facts);
    print_ends(interpreter);
    print_signatures(facts);
    print_buffers(facts);
    print_operators(facts);
    print_subgraphs(interpreter, facts);
    if (get(facts, "delegate") != NULL) print_delegate("delegate", get(facts, "delegate"));
    const cJSON* device;
    cJSON_ArrayForEach(device, get(facts, "devices")) {
        char what[32];
        snprintf(what, sizeof(what), "device %.0f", number(device, "number"));
        print_delegate(what, device);
    }
    if (get(facts, "devices_absent") != NULL) {
        printf("devices: ");
        print_text(facts, "devices_absent");
        printf("\n");
    }
    printf("memory: %.0f bytes for tensors, constants not included\n", number(facts, "memory_bytes"));
}
