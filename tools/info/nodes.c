// SPDX-License-Identifier: Apache-2.0
#include "tools/info/nodes.h"

#include <stdbool.h>

#include "oclite/oclite.h"
#include "tools/common/op_cost.h"

static cJSON* list_of(const int* numbers, int count) {
    return cJSON_CreateIntArray(numbers, count);
}

static void add_quantization(const TfLiteTensor* tensor, cJSON* facts) {
    const TfLiteAffineQuantization* affine = tensor->quantization.params;
    if (tensor->quantization.type != kTfLiteAffineQuantization || affine == NULL || affine->scale == NULL)
        return;
    cJSON* scales = cJSON_AddArrayToObject(facts, "scale");
    for (int i = 0; i < affine->scale->size; i++) {
        cJSON_AddItemToArray(scales, cJSON_CreateNumber((double)affine->scale->data[i]));
    }
    if (affine->zero_point != NULL) {
        cJSON_AddItemToObject(facts, "zero_point",
                              list_of(affine->zero_point->data, affine->zero_point->size));
    }
    cJSON_AddNumberToObject(facts, "quantized_dimension", affine->quantized_dimension);
}

static cJSON* describe_tensor(const TfLiteTensor* tensor) {
    cJSON* facts = cJSON_CreateObject();
    tool_facts_add_text(facts, "name", TfLiteTensorName(tensor));
    tool_facts_add_text(facts, "type", TfLiteTypeGetName(TfLiteTensorType(tensor)));
    if (tensor->dims != NULL)
        cJSON_AddItemToObject(facts, "shape", list_of(tensor->dims->data, tensor->dims->size));
    if (tensor->dims_signature != NULL && tensor->dims_signature->size > 0) {
        cJSON_AddItemToObject(facts, "shape_signature",
                              list_of(tensor->dims_signature->data, tensor->dims_signature->size));
    }
    if (tensor->allocation_type == kTfLiteMmapRo) cJSON_AddBoolToObject(facts, "constant", true);
    if (tensor->is_variable) cJSON_AddBoolToObject(facts, "variable", true);
    if (tensor->sparsity != NULL) cJSON_AddBoolToObject(facts, "sparse", true);
    add_quantization(tensor, facts);
    return facts;
}

static void add_parameter(void* user_data, const char* name, const char* value) {
    tool_facts_add_text(user_data, name, value);
}

static void add_work(const TfLiteInterpreter* interpreter, int subgraph, int n, cJSON* facts) {
    const ToolOpCost work = tool_op_cost(interpreter, subgraph, n);
    if (work.operations >= 0) {
        cJSON_AddNumberToObject(facts, "operations", work.operations);
    } else {
        cJSON_AddNullToObject(facts, "operations");
    }
    cJSON_AddNumberToObject(facts, "bytes_read", work.bytes_read);
    cJSON_AddNumberToObject(facts, "bytes_written", work.bytes_written);
}

static cJSON* describe_node(const Info* info, int subgraph, int n, const OcliteNode* node) {
    cJSON* facts = cJSON_CreateObject();
    tool_facts_add_text(facts, "op", node->op);
    cJSON_AddNumberToObject(facts, "version", node->version);
    cJSON_AddItemToObject(facts, "inputs", list_of(node->inputs, node->input_count));
    cJSON_AddItemToObject(facts, "outputs", list_of(node->outputs, node->output_count));
    if (node->is_delegate) {
        cJSON_AddItemToObject(facts, "runs_nodes", list_of(node->replaced, node->replaced_count));
    } else if (node->delegate_node >= 0) {
        cJSON_AddNumberToObject(facts, "run_by_node", node->delegate_node);
    } else {
        cJSON_AddBoolToObject(facts, "resolved", node->resolved);
    }
    if (info->edit != NULL && !node->is_delegate) {
        cJSON* parameters = cJSON_AddObjectToObject(facts, "parameters");
        (void)oclite_edit_parameters(info->edit, subgraph, n, add_parameter, parameters);
    }
    add_work(info->session.interpreter, subgraph, n, facts);
    return facts;
}

static cJSON* describe_sum(const TfLiteInterpreter* interpreter, int subgraph) {
    const ToolOpCostSum sum = tool_op_cost_sum(interpreter, subgraph, NULL, 0);
    cJSON* facts = cJSON_CreateObject();
    cJSON_AddNumberToObject(facts, "operations", sum.operations);
    cJSON_AddNumberToObject(facts, "bytes_read", sum.bytes_read);
    cJSON_AddNumberToObject(facts, "bytes_written", sum.bytes_written);
    cJSON_AddNumberToObject(facts, "nodes", sum.node_count);
    cJSON_AddNumberToObject(facts, "nodes_not_known", sum.unknown_count);
    return facts;
}

void info_add_subgraphs(const Info* info, cJSON* facts) {
    const TfLiteInterpreter* interpreter = info->session.interpreter;
    cJSON* array = cJSON_AddArrayToObject(facts, "subgraphs");
    for (int g = 0; g < oclite_interpreter_subgraph_count(interpreter); g++) {
        cJSON* subgraph = cJSON_CreateObject();
        tool_facts_add_text(subgraph, "name", oclite_interpreter_subgraph_name(interpreter, g));
        cJSON* tensors = cJSON_AddArrayToObject(subgraph, "tensors");
        for (int t = 0; t < oclite_interpreter_tensor_count(interpreter, g); t++) {
            cJSON_AddItemToArray(tensors, describe_tensor(oclite_interpreter_tensor(interpreter, g, t)));
        }
        cJSON* nodes = cJSON_AddArrayToObject(subgraph, "nodes");
        OcliteNode node;
        for (int n = 0; oclite_interpreter_node(interpreter, g, n, &node) == kTfLiteOk; n++) {
            cJSON_AddItemToArray(nodes, describe_node(info, g, n, &node));
        }
        cJSON_AddItemToObject(subgraph, "work", describe_sum(interpreter, g));
        cJSON_AddItemToArray(array, subgraph);
    }
}
