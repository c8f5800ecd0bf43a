// SPDX-License-Identifier: Apache-2.0
// What a model holds.
#include <string.h>

#include "core/base/operator.h"
#include "core/edit/edit.h"
#include "core/edit/error.h"
#include "core/edit/node.h"
#include "core/model/schema.h"

static TfLiteStatus check_index(const char* what, int index, int count) {
    if (index >= 0 && index < count) return kTfLiteOk;
    return lite_edit_fail("there is no %s %d: there are %d", what, index, count);
}

int oclite_edit_subgraph_count(const OcliteEdit* edit) {
    return edit != NULL ? lite_model_subgraph_count(edit->model) : 0;
}

TfLiteStatus oclite_edit_subgraph(const OcliteEdit* edit, int subgraph, OcliteEditSubgraph* result) {
    lite_edit_begin();
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    if (from == NULL) return kTfLiteError;
    LITE_TRY(lite_edit_need(result, "result"));
    *result = (OcliteEditSubgraph){
        .name = from->name,
        .node_count = from->operator_count,
        .tensor_count = from->tensor_count,
        .input_count = from->inputs.count,
        .inputs = from->inputs.data,
        .output_count = from->outputs.count,
        .outputs = from->outputs.data,
    };
    return kTfLiteOk;
}

TfLiteStatus oclite_edit_node(const OcliteEdit* edit, int subgraph, int node, OcliteEditNode* result) {
    lite_edit_begin();
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    if (from == NULL) return kTfLiteError;
    LITE_TRY(lite_edit_need(result, "result"));
    LITE_TRY(check_index("node", node, from->operator_count));
    const LiteModelOperator* op = &from->operators[node];
    *result = (OcliteEditNode){
        .op = lite_edit_name(op),
        .builtin_code = op->builtin_code,
        .version = op->version,
        .input_count = op->inputs.count,
        .inputs = op->inputs.data,
        .output_count = op->outputs.count,
        .outputs = op->outputs.data,
        .intermediate_count = op->intermediates.count,
        .intermediates = op->intermediates.data,
        .custom_options = op->custom_options,
        .custom_options_size = op->custom_options_size,
    };
    return kTfLiteOk;
}

TfLiteStatus oclite_edit_tensor(const OcliteEdit* edit, int subgraph, int tensor, OcliteEditTensor* result) {
    lite_edit_begin();
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    if (from == NULL) return kTfLiteError;
    LITE_TRY(lite_edit_need(result, "result"));
    LITE_TRY(check_index("tensor", tensor, from->tensor_count));
    const LiteModelTensor* t = &from->tensors[tensor];
    *result = (OcliteEditTensor){
        .name = t->name,
        .type = t->type,
        .rank = t->shape.count,
        .shape = t->shape.data,
        .signature_rank = t->shape_signature.count,
        .shape_signature = t->shape_signature.data,
        .is_variable = t->is_variable,
        .buffer = (int)t->buffer,
        .data = t->data,
        .bytes = t->bytes,
    };
    return kTfLiteOk;
}

int oclite_edit_find_tensor(const OcliteEdit* edit, int subgraph, const char* name) {
    lite_edit_begin();
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    int found = -1;
    if (from == NULL || lite_edit_need(name, "name") != kTfLiteOk) return -1;
    for (int i = 0; i < from->tensor_count; i++) {
        if (strcmp(from->tensors[i].name, name) != 0) continue;
        if (found >= 0) {
            lite_edit_fail("tensors %d and %d are both called \"%.200s\"", found, i, name);
            return -1;
        }
        found = i;
    }
    if (found < 0) lite_edit_fail("no tensor of subgraph %d is called \"%.200s\"", subgraph, name);
    return found;
}

// Elements of the model's own vectors; none without a model.
static LiteFlatVector vector_of(const OcliteEdit* edit, int field) {
    if (edit == NULL) return (LiteFlatVector){0};
    return lite_flat_vector(lite_flat_root(oclite_edit_data(edit, NULL)), field);
}

int oclite_edit_operator_code_count(const OcliteEdit* edit) {
    return (int)vector_of(edit, kModelOperatorCodes).count;
}

TfLiteStatus oclite_edit_operator_code(const OcliteEdit* edit, int index, OcliteEditOperatorCode* result) {
    const LiteFlatVector codes = vector_of(edit, kModelOperatorCodes);
    lite_edit_begin();
    LITE_TRY(lite_edit_need(edit, "edit"));
    LITE_TRY(lite_edit_need(result, "result"));
    LITE_TRY(check_index("operator code", index, (int)codes.count));
    const LiteFlatTable code = lite_flat_element(codes, (uint32_t)index);
    const char* custom = lite_flat_string(code, kOperatorCodeCustomCode);
    result->builtin_code = lite_schema_builtin_code(code);
    const bool named = result->builtin_code == kTfLiteBuiltinCustom && custom != NULL;
    result->op = named ? custom : lite_operator_name(result->builtin_code);
    result->version = lite_flat_i32(code, kOperatorCodeVersion, 1);
    return kTfLiteOk;
}

int oclite_edit_buffer_count(const OcliteEdit* edit) {
    return (int)vector_of(edit, kModelBuffers).count;
}

TfLiteStatus oclite_edit_buffer(const OcliteEdit* edit, int index, const void** data, size_t* size) {
    const LiteFlatVector buffers = vector_of(edit, kModelBuffers);
    size_t file_size;
    const uint8_t* file = oclite_edit_data(edit, &file_size);
    lite_edit_begin();
    LITE_TRY(lite_edit_need(edit, "edit"));
    LITE_TRY(lite_edit_need(data, "data"));
    LITE_TRY(lite_edit_need(size, "size"));
    LITE_TRY(check_index("buffer", index, (int)buffers.count));
    const LiteFlatTable buffer = lite_flat_element(buffers, (uint32_t)index);
    const LiteFlatVector contents = lite_flat_vector(buffer, kBufferData);
    const uint64_t offset = lite_flat_u64(buffer, kBufferOffset);
    *data = contents.count > 0 ? contents.data : NULL;
    *size = contents.count;
    if (contents.count > 0 || offset <= 1) return kTfLiteOk;
    const uint64_t bytes = lite_flat_u64(buffer, kBufferSize);
    if (offset > file_size || bytes > file_size - offset) {
        return lite_edit_fail("buffer %d lies outside the file of %zu bytes", index, file_size);
    }
    *data = bytes > 0 ? file + offset : NULL;
    *size = (size_t)bytes;
    return kTfLiteOk;
}

int oclite_edit_metadata_count(const OcliteEdit* edit) {
    return edit != NULL ? lite_model_metadata_count(edit->model) : 0;
}

TfLiteStatus oclite_edit_metadata(const OcliteEdit* edit, int index, const char** name, const void** data,
                                  size_t* size) {
    lite_edit_begin();
    LITE_TRY(lite_edit_need(edit, "edit"));
    LITE_TRY(lite_edit_need(name, "name"));
    LITE_TRY(lite_edit_need(data, "data"));
    LITE_TRY(lite_edit_need(size, "size"));
    LITE_TRY(check_index("metadata", index, lite_model_metadata_count(edit->model)));
    const LiteModelMetadata* metadata = lite_model_metadata(edit->model, index);
    *name = metadata->name;
    *data = metadata->data;
    *size = metadata->bytes;
    return kTfLiteOk;
}
