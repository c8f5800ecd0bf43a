// SPDX-License-Identifier: Apache-2.0
// oclite info: what a model consists of, and which of its nodes run where.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/tensor_io.h"

static void print_tensor(const TfLiteTensor* tensor) {
    char text[TOOL_SHAPE_TEXT];
    const ToolShape shape = tool_tensor_shape(tensor);
    const TfLiteQuantizationParams quantization = TfLiteTensorQuantizationParams(tensor);
    printf("%s (%s)", TfLiteTypeGetName(TfLiteTensorType(tensor)), tool_shape_text(&shape, text));
    if (quantization.scale != 0)
        printf(" scale %.9g zero point %d", quantization.scale, quantization.zero_point);
}

static void print_end(const char* kind, int index, const TfLiteTensor* tensor) {
    printf("%s %d: ", kind, index);
    print_tensor(tensor);
    printf(" \"");
    tool_print_name(TfLiteTensorName(tensor));
    printf("\"\n");
}

static void print_ends(const TfLiteInterpreter* interpreter) {
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); ++i) {
        print_end("input", i, TfLiteInterpreterGetInputTensor(interpreter, i));
    }
    for (int i = 0; i < TfLiteInterpreterGetOutputTensorCount(interpreter); ++i) {
        print_end("output", i, TfLiteInterpreterGetOutputTensor(interpreter, i));
    }
    for (int i = 0; i < TfLiteInterpreterGetSignatureCount(interpreter); ++i) {
        printf("signature: \"");
        tool_print_name(TfLiteInterpreterGetSignatureKey(interpreter, i));
        printf("\"\n");
    }
}

static int compare_names(const void* left, const void* right) {
    return strcmp(*(const char* const*)left, *(const char* const*)right);
}

// How often each operator occurs in all graphs.
static ToolStatus print_operators(const TfLiteInterpreter* interpreter, ToolMessage* message) {
    size_t count = 0;
    const int graphs = oclite_interpreter_subgraph_count(interpreter);
    for (int g = 0; g < graphs; ++g) count += (size_t)oclite_interpreter_node_count(interpreter, g);
    const char** names = calloc(count + 1, sizeof(*names));
    if (!names) return tool_fail(message, kToolFile, "out of memory");
    size_t used = 0;
    for (int g = 0; g < graphs; ++g) {
        OcliteNode node;
        for (int n = 0; oclite_interpreter_node(interpreter, g, n, &node) == kTfLiteOk; ++n) {
            if (node.builtin_code != kTfLiteBuiltinDelegate && used < count) names[used++] = node.op;
        }
    }
    qsort(names, used, sizeof(*names), compare_names);
    printf("operators:");
    for (size_t first = 0; first < used;) {
        size_t end = first + 1;
        while (end < used && strcmp(names[first], names[end]) == 0) ++end;
        printf(" ");
        tool_print_name(names[first]);
        printf(" %zu%s", end - first, end < used ? "," : "");
        first = end;
    }
    printf("\n");
    free(names);
    return kToolOk;
}

static void print_list(const TfLiteInterpreter* interpreter, int graph, const int* tensors, int count) {
    for (int i = 0; i < count; ++i) {
        const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, graph, tensors[i]);
        if (i > 0) printf(", ");
        if (!tensor) {
            printf("-");
            continue;
        }
        printf("%d ", tensors[i]);
        print_tensor(tensor);
    }
}

static void print_nodes(const TfLiteInterpreter* interpreter, int graph) {
    OcliteNode node;
    printf("graph %d \"", graph);
    tool_print_name(oclite_interpreter_subgraph_name(interpreter, graph));
    printf("\":\n");
    for (int n = 0; oclite_interpreter_node(interpreter, graph, n, &node) == kTfLiteOk; ++n) {
        printf("  #%d ", n);
        tool_print_name(node.op);
        if (node.version > 0) printf(" v%d", node.version);
        if (node.builtin_code == kTfLiteBuiltinDelegate) {
            printf(" [runs %d nodes]", node.replaced_count);
        } else if (node.delegate_node >= 0) {
            printf(" [in #%d]", node.delegate_node);
        } else {
            printf(node.resolved ? " [CPU]" : " [unresolved]");
        }
        printf(" ");
        print_list(interpreter, graph, node.inputs, node.input_count);
        printf(" -> ");
        print_list(interpreter, graph, node.outputs, node.output_count);
        printf("\n");
    }
}

typedef struct Tally {
    int asked;
    int taken;
} Tally;

static void print_refusal(void* user_data, const OcliteOpenclNode* node) {
    Tally* tally = user_data;
    ++tally->asked;
    tally->taken += node->taken;
    if (node->taken) return;
    printf("  graph %d #%d ", node->graph, node->node);
    tool_print_name(node->op);
    printf(": %s\n", node->reason);
}

static void print_delegate(const TfLiteDelegate* delegate) {
    Tally tally = {0};
    const char* warning = oclite_opencl_delegate_warning(delegate);
    if (warning[0]) printf("delegate: %s\n", warning);
    printf("delegate: %s; left to the CPU:\n", oclite_opencl_delegate_device(delegate));
    oclite_opencl_delegate_explain(delegate, print_refusal, &tally);
    printf("  %d of %d nodes run on the delegate\n", tally.taken, tally.asked);
}

static ToolStatus show(const char* model, const ToolSetup* setup, ToolMessage* message) {
    ToolSession session;
    ToolStatus status = tool_session_open(model, setup, &session, message);
    if (status != kToolOk) return status;
    // A model that cannot be allocated is shown with the shapes that it has in the file.
    const bool allocated = TfLiteInterpreterAllocateTensors(session.interpreter) == kTfLiteOk;
    print_ends(session.interpreter);
    status = print_operators(session.interpreter, message);
    for (int g = 0; g < oclite_interpreter_subgraph_count(session.interpreter); ++g) {
        print_nodes(session.interpreter, g);
    }
    if (session.delegate) print_delegate(session.delegate);
    printf("memory: %zu bytes for tensors, constants not included\n",
           oclite_interpreter_memory(session.interpreter));
    tool_session_close(&session);
    if (status != kToolOk || allocated) return status;
    return tool_fail(message, kToolAllocate, "%s: the tensors could not be allocated", model);
}

static ToolStatus run_info(void* settings, const ToolList* operands, ToolMessage* message) {
    return show(operands->items[0], settings, message);
}

const ToolCommand tool_info_command = {
    .name = "info",
    .summary = "shows what a model consists of, and which of its nodes run where",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Inputs, outputs, operators and nodes of every graph; with a delegate, which nodes it takes, "
        "and why not the others.",
    .examples = "  oclite info model.tflite --delegate opencl\n",
    .has_setup = true,
    .size = sizeof(ToolSetup),
    .run = run_info,
};
