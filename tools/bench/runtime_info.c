// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/runtime_info.h"

#include <stdio.h>

#include "oclite/oclite.h"
#include "tools/bench/state.h"
#include "tools/common/file.h"
#include "tools/common/protobuf.h"

static void put_edge(ToolProto* subgraph, int index, const TfLiteTensor* tensor) {
    ToolProto edge = {0};
    tool_proto_integer(&edge, 1, index);
    tool_proto_text(&edge, 2, tensor->name != NULL ? tensor->name : "");
    tool_proto_integer(&edge, 3, tensor->type);
    if (tensor->dims != NULL) tool_proto_integers(&edge, 4, tensor->dims->data, tensor->dims->size);
    tool_proto_text(&edge, 5, bench_memory_kind(tensor->allocation_type));
    tool_proto_integer(&edge, 6, 0); // no layout
    tool_proto_integer(&edge, 7, (int64_t)tensor->bytes);
    tool_proto_message(subgraph, 2, &edge);
}

static void put_list(ToolProto* proto, int field, const TfLiteIntArray* list) {
    if (list != NULL) tool_proto_integers(proto, field, list->data, list->size);
}

static void put_node(ToolProto* subgraph, int index, const OcliteNode* node) {
    ToolProto proto = {0};
    char type[320];
    if (node->delegate_node >= 0 || node->registration->custom_name != NULL) {
        snprintf(type, sizeof(type), "%s%s", node->delegate_node >= 0 ? "Delegate/" : "", node->op);
    } else {
        snprintf(type, sizeof(type), "%d", node->builtin_code);
    }
    tool_proto_integer(&proto, 1, index);
    tool_proto_text(&proto, 2, node->op);
    tool_proto_text(&proto, 3, type);
    tool_proto_integers(&proto, 4, node->inputs, node->input_count);
    tool_proto_integers(&proto, 5, node->outputs, node->output_count);
    put_list(&proto, 6, node->node->intermediates);
    put_list(&proto, 7, node->node->temporaries);
    if (node->is_delegate) {
        ToolProto details = {0};
        tool_proto_text(&details, 1, node->op);
        tool_proto_integers(&details, 2, node->replaced, node->replaced_count);
        tool_proto_message(&proto, 8, &details);
    } else if (node->delegate_node >= 0) {
        tool_proto_integer(&proto, 9, node->delegate_node);
    }
    tool_proto_message(subgraph, 3, &proto);
}

static void put_subgraph(const TfLiteInterpreter* interpreter, int index, ToolProto* model) {
    ToolProto proto = {0};
    tool_proto_integer(&proto, 1, index);
    const int tensors = oclite_interpreter_tensor_count(interpreter, index);
    for (int i = 0; i < tensors; i++) {
        const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, index, i);
        if (tensor != NULL) put_edge(&proto, i, tensor);
    }
    const int nodes = oclite_interpreter_node_count(interpreter, index);
    for (int i = 0; i < nodes; i++) {
        OcliteNode node;
        if (oclite_interpreter_node(interpreter, index, i, &node) == kTfLiteOk) put_node(&proto, i, &node);
    }
    const int* plan = NULL;
    int length = 0;
    oclite_interpreter_plan(interpreter, index, &plan, &length);
    tool_proto_integers(&proto, 4, plan, length);
    tool_proto_integer(&proto, 5, 1); // the runtime's, not a delegate's
    tool_proto_text(&proto, 6, oclite_interpreter_subgraph_name(interpreter, index));
    tool_proto_message(model, 2, &proto);
}

ToolStatus bench_write_runtime_info(const Bench* bench, ToolMessage* message) {
    const char* path = bench->settings->runtime_info_file;
    if (path == NULL || !*path) {
        return tool_fail(message, kToolUsage,
                         "--export_model_runtime_info needs --model_runtime_info_output_file");
    }
    ToolProto model = {0};
    tool_proto_text(&model, 1, bench->settings->graph);
    const int count = oclite_interpreter_subgraph_count(bench->session.interpreter);
    for (int s = 0; s < count; s++) put_subgraph(bench->session.interpreter, s, &model);
    const ToolStatus status = model.has_failed
                                  ? tool_out_of_memory(message)
                                  : tool_file_write(path, model.data, model.size, NULL, 0, message);
    tool_proto_free(&model);
    return status;
}
