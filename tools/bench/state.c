// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/state.h"

#include "oclite/oclite.h"

const char* bench_memory_kind(TfLiteAllocationType type) {
    static const char* const names[] = {
        "kTfLiteMemNone", "kTfLiteMmapRo",       "kTfLiteArenaRw", "kTfLiteArenaRwPersistent",
        "kTfLiteDynamic", "kTfLitePersistentRo", "kTfLiteCustom",  "kTfLiteVariantObject",
        "kTfLiteNonCpu"};
    const size_t index = (size_t)type;
    return index < sizeof(names) / sizeof(names[0]) ? names[index] : "(invalid)";
}

static void print_list(FILE* log, const char* head, const int* values, int count) {
    fprintf(log, "%s[", head);
    for (int i = 0; i < count; i++) fprintf(log, "%s%d", i > 0 ? "," : "", values[i]);
    fprintf(log, "]");
}

// Prints a cell. Names come from the model: characters that a terminal would obey become question marks.
static void print_cell(FILE* log, const char* text, int width) {
    for (int i = 0; i < width; i++) {
        const char c = text != NULL && *text ? *text++ : ' ';
        fputc((unsigned char)c < ' ' || c == 127 ? '?' : c, log);
    }
    fputc(' ', log);
}

static void print_tensors(const Bench* bench, int subgraph) {
    const BenchSettings* settings = bench->settings;
    FILE* log = bench->log;
    print_cell(log, "ID", 5);
    print_cell(log, "Name", settings->name_width);
    print_cell(log, "Type", settings->type_width);
    print_cell(log, "AllocType", settings->allocation_width);
    fprintf(log, "%-15s %s\n", "Size (bytes)", "Shape");
    const int count = oclite_interpreter_tensor_count(bench->session.interpreter, subgraph);
    for (int i = 0; i < count; i++) {
        const TfLiteTensor* tensor = oclite_interpreter_tensor(bench->session.interpreter, subgraph, i);
        if (tensor == NULL) continue;
        fprintf(log, "%-5d ", i);
        print_cell(log, tensor->name, settings->name_width);
        print_cell(log, TfLiteTypeGetName(tensor->type), settings->type_width);
        print_cell(log, bench_memory_kind(tensor->allocation_type), settings->allocation_width);
        fprintf(log, "%-15zu ", tensor->bytes);
        if (tensor->dims != NULL) print_list(log, "", tensor->dims->data, tensor->dims->size);
        fprintf(log, "\n");
    }
}

static void print_nodes(const Bench* bench, int subgraph) {
    FILE* log = bench->log;
    const int count = oclite_interpreter_node_count(bench->session.interpreter, subgraph);
    for (int i = 0; i < count; i++) {
        OcliteNode node;
        if (oclite_interpreter_node(bench->session.interpreter, subgraph, i, &node) != kTfLiteOk) continue;
        fprintf(log, "Node %d Operator ", i);
        tool_put_name(log, node.op);
        if (node.delegate_node >= 0) fprintf(log, " (delegated by node %d)", node.delegate_node);
        print_list(log, "\n  Input Tensors:", node.inputs, node.input_count);
        print_list(log, "\n  Output Tensors:", node.outputs, node.output_count);
        fprintf(log, "\n");
    }
    const int* plan = NULL;
    int length = 0;
    oclite_interpreter_plan(bench->session.interpreter, subgraph, &plan, &length);
    print_list(log, "Execution plan: ", plan, length);
    fprintf(log, "\n");
}

void bench_print_state(const Bench* bench, const char* when) {
    FILE* log = bench->log;
    const int count = oclite_interpreter_subgraph_count(bench->session.interpreter);
    fprintf(log, "\n====Printing out TfLite interpreter %s-invoke state begins====\n", when);
    fprintf(log, "Interpreter has %d subgraphs.\n", count);
    for (int s = 0; s < count; s++) {
        fprintf(log, "\n-----------Subgraph-%d ", s);
        tool_put_name(log, oclite_interpreter_subgraph_name(bench->session.interpreter, s));
        fprintf(log, " has %d tensors and %d nodes------------\n",
                oclite_interpreter_tensor_count(bench->session.interpreter, s),
                oclite_interpreter_node_count(bench->session.interpreter, s));
        const int* tensors = NULL;
        int length = 0;
        oclite_interpreter_inputs(bench->session.interpreter, s, &tensors, &length);
        fprintf(log, "%d Inputs: ", length);
        print_list(log, "", tensors, length);
        oclite_interpreter_outputs(bench->session.interpreter, s, &tensors, &length);
        fprintf(log, "\n%d Outputs: ", length);
        print_list(log, "", tensors, length);
        fprintf(log, "\n");
        print_tensors(bench, s);
        print_nodes(bench, s);
    }
    fprintf(log, "====Printing out TfLite interpreter %s-invoke state ends====\n\n", when);
}
