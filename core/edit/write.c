// SPDX-License-Identifier: Apache-2.0
// The file that a plan describes.
#include "core/edit/write.h"

#include <string.h>

#include "core/edit/node.h"
#include "core/edit/number.h"
#include "core/edit/tree.h"
#include "core/edit/tree_write.h"
#include "core/edit/types.h"
#include "core/model/options.h"

typedef struct Write {
    LiteEditPlan* plan;
    LiteTree* tree;
    LiteTreeTable* model;
    const uint8_t* file; // the source's
    size_t file_size;
    const LiteEditSubgraph* subgraph; // that is being written
} Write;

// The schema of the tables in the vector `field` of the root.
static const LiteFlatSchema* schema_of(int field) {
    return lite_schema_model.fields[field].table;
}

static const LiteFlatSchema* schema_in(const LiteFlatSchema* schema, int field) {
    return schema->fields[field].table;
}

// Writes a vector of the source's tensors by their new numbers.
static void put_tensors(const Write* w, LiteTreeTable* to, int id, LiteModelInts tensors) {
    int32_t* numbers = lite_tree_alloc(w->tree, (size_t)tensors.count, sizeof(*numbers));
    if (numbers == NULL) return;
    for (int i = 0; i < tensors.count; i++) {
        numbers[i] = tensors.data[i] < 0 ? -1 : w->subgraph->tensors[tensors.data[i]];
    }
    lite_tree_vector(to, id, numbers, (size_t)tensors.count, 4, 4);
}

// Contents that are outside of the tables stay there: field `id` is their offset, the next one their size.
static TfLiteStatus put_outside(const Write* w, LiteTreeTable* to, LiteFlatTable from, int id) {
    const uint64_t offset = lite_flat_u64(from, id);
    const uint64_t size = lite_flat_u64(from, id + 1);
    if (offset <= 1) return kTfLiteOk; // writers leave 1 where they did not know the offset
    if (offset > w->file_size || size > w->file_size - offset) {
        return lite_report(w->plan->reporter, "%llu bytes at offset %llu lie outside the file of %zu bytes",
                           (unsigned long long)size, (unsigned long long)offset, w->file_size);
    }
    lite_tree_outside(to, id, w->file + offset, (size_t)size);
    return kTfLiteOk;
}

static TfLiteStatus write_buffers(const Write* w) {
    const LiteFlatVector buffers = lite_flat_vector(w->plan->root, kModelBuffers);
    lite_tree_tables(w->model, kModelBuffers);
    for (uint32_t i = 0; i < buffers.count; i++) {
        const LiteFlatTable from = lite_flat_element(buffers, i);
        if (w->plan->buffers[i] < 0) continue;
        LiteTreeTable* to = lite_tree_append(w->model, kModelBuffers);
        lite_tree_copy(to, from, schema_of(kModelBuffers));
        if (lite_flat_vector(from, kBufferData).count > 0) {
            lite_tree_remove(to, kBufferOffset); // does not count
            lite_tree_remove(to, kBufferSize);
        } else {
            LITE_TRY(put_outside(w, to, from, kBufferOffset));
        }
    }
    return kTfLiteOk;
}

static void write_codes(const Write* w) {
    const LiteFlatVector codes = lite_flat_vector(w->plan->root, kModelOperatorCodes);
    lite_tree_tables(w->model, kModelOperatorCodes);
    for (uint32_t i = 0; i < codes.count; i++) {
        if (w->plan->codes[i] < 0) continue;
        lite_tree_copy(lite_tree_append(w->model, kModelOperatorCodes), lite_flat_element(codes, i),
                       schema_of(kModelOperatorCodes));
    }
    if (w->plan->codes[codes.count] < 0) return;
    LiteTreeTable* code = lite_tree_append(w->model, kModelOperatorCodes);
    lite_tree_scalar(code, kOperatorCodeDeprecatedBuiltinCode, 1, kTfLiteBuiltinCustom);
    lite_tree_scalar(code, kOperatorCodeBuiltinCode, 4, kTfLiteBuiltinCustom);
    lite_tree_scalar(code, kOperatorCodeVersion, 4, (uint32_t)w->plan->op->version);
    lite_tree_string(code, kOperatorCodeCustomCode, w->plan->op->name);
}

// Tensors
// ---------------------------------------------------------------------------------------------------------

// What follows in a changed model may not be the operator that gave the type, or stand alone.
static void put_type(LiteTreeTable* tensor, TfLiteType type) {
    for (int number = 0; number <= UINT8_MAX; number++) {
        if (lite_options_tensor_type(number) != type) continue;
        lite_tree_scalar(tensor, kTensorType, 1, (uint64_t)number);
        return;
    }
}

static TfLiteStatus write_tensors(const Write* w, LiteFlatTable from, LiteTreeTable* to) {
    const LiteFlatVector tensors = lite_flat_vector(from, kSubGraphTensors);
    const LiteModelSubgraph* source = lite_model_subgraph(w->plan->source, w->subgraph->source);
    const LiteFlatSchema* schema = schema_in(schema_of(kModelSubgraphs), kSubGraphTensors);
    const TfLiteType* types = lite_edit_plan_types(w->plan, source);
    if (types == NULL) return kTfLiteError;
    lite_tree_tables(to, kSubGraphTensors);
    for (uint32_t i = 0; i < tensors.count; i++) {
        if (w->subgraph->tensors[i] < 0) continue;
        LiteTreeTable* tensor = lite_tree_append(to, kSubGraphTensors);
        lite_tree_copy(tensor, lite_flat_element(tensors, i), schema);
        const int buffer = source->tensors[i].buffer == 0 ? 0 : w->plan->buffers[source->tensors[i].buffer];
        lite_tree_scalar(tensor, kTensorBuffer, 4, (uint32_t)buffer);
        if (types[i] != source->tensors[i].type) put_type(tensor, types[i]);
        int scales, zero_points;
        lite_edit_plan_scales(&source->tensors[i], &scales, &zero_points);
        if (scales < 0) continue;
        LiteTreeTable* quantization = lite_tree_at(tensor, kTensorQuantization, 0);
        LiteTreeTable* details = lite_tree_at(quantization, kQuantizationDetails, 0);
        const int zeros = zero_points < 0 ? -1 : w->subgraph->tensors[zero_points];
        lite_tree_scalar(details, kBlockwiseScales, 4, (uint32_t)w->subgraph->tensors[scales]);
        lite_tree_scalar(details, kBlockwiseZeroPoints, 4, (uint32_t)zeros);
    }
    return kTfLiteOk;
}

// Nodes
// -----------------------------------------------------------------------------------------------------------

typedef struct Renumber {
    const Write* write;
    LiteFlatTable from;
    LiteTreeTable* to;
} Renumber;

static TfLiteStatus renumber_call(void* argument, LiteEditCall call) {
    const Renumber* r = argument;
    const LiteEditPlan* plan = r->write->plan;
    LiteTreeTable* options = lite_tree_at(r->to, call.union_id, 0);
    LiteTreeVector numbers = lite_tree_get_vector(options, call.id);
    if (call.element == 0) { // the vector is still the file's
        void* copy = lite_tree_alloc(r->write->tree, numbers.count, 4);
        if (copy == NULL || numbers.count == 0) return kTfLiteOk; // the tree remembers it
        numbers.data = memcpy(copy, numbers.data, numbers.count * 4);
        lite_tree_vector(options, call.id, copy, numbers.count, 4, 4);
    }
    // Options that nobody reads may hold anything.
    if (call.subgraph < 0 || call.subgraph >= lite_model_subgraph_count(plan->source)) return kTfLiteOk;
    const uint32_t number = (uint32_t)plan->subgraph_numbers[call.subgraph];
    if (call.element < 0) {
        lite_tree_scalar(options, call.id, 4, number);
    } else if ((size_t)call.element < numbers.count) {
        memcpy((uint8_t*)numbers.data + 4 * (size_t)call.element, &number, 4);
    }
    return kTfLiteOk;
}

static TfLiteStatus write_node(const Write* w, int index, LiteTreeTable* to) {
    const LiteEditPlan* plan = w->plan;
    const LiteFlatTable from = lite_edit_plan_node_table(plan, w->subgraph->source, index);
    const LiteModelOperator* node = &lite_model_subgraph(plan->source, w->subgraph->source)->operators[index];
    lite_tree_copy(to, from, schema_in(schema_of(kModelSubgraphs), kSubGraphOperators));
    lite_tree_scalar(to, kOperatorOpcodeIndex, 4,
                     (uint32_t)plan->codes[lite_flat_u32(from, kOperatorOpcodeIndex)]);
    put_tensors(w, to, kOperatorInputs, node->inputs);
    put_tensors(w, to, kOperatorOutputs, node->outputs);
    if (node->intermediates.count > 0) put_tensors(w, to, kOperatorIntermediates, node->intermediates);
    if (!plan->whole) lite_tree_remove(to, kOperatorDebugMetadataIndex);
    LITE_TRY(put_outside(w, to, from, kOperatorLargeCustomOptionsOffset));
    return lite_edit_visit_calls(from, renumber_call, &(Renumber){w, from, to});
}

// Which of the inputs are variables, in the form of mutating_variable_inputs.
static void put_variables(const Write* w, LiteModelInts inputs, LiteTreeTable* to) {
    const LiteModelSubgraph* source = lite_model_subgraph(w->plan->source, w->subgraph->source);
    uint8_t* flags = lite_tree_alloc(w->tree, (size_t)inputs.count, 1);
    bool any = false;
    for (int i = 0; flags != NULL && i < inputs.count; i++) {
        flags[i] = source->tensors[inputs.data[i]].is_variable;
        any |= flags[i];
    }
    if (any) lite_tree_vector(to, kOperatorMutatingVariableInputs, flags, (size_t)inputs.count, 1, 4);
}

static void write_new_node(const Write* w, const LiteEditNode* node, LiteTreeTable* to) {
    const OcliteEditOperator* op = w->plan->op;
    const uint32_t codes = lite_flat_vector(w->plan->root, kModelOperatorCodes).count;
    lite_tree_scalar(to, kOperatorOpcodeIndex, 4, (uint32_t)w->plan->codes[codes]);
    put_tensors(w, to, kOperatorInputs, node->inputs);
    put_tensors(w, to, kOperatorOutputs, node->outputs);
    put_variables(w, node->inputs, to);
    if (op->custom_options_size == 0) return;
    lite_tree_vector(to, kOperatorCustomOptions, op->custom_options, op->custom_options_size, 1, 16);
}

static TfLiteStatus write_subgraph(Write* w, const LiteEditSubgraph* subgraph) {
    const LiteFlatTable from = lite_edit_plan_subgraph_table(w->plan, subgraph->source);
    LiteTreeTable* to = lite_tree_append(w->model, kModelSubgraphs);
    const char* name = lite_flat_string(from, kSubGraphName);
    w->subgraph = subgraph;
    if (name != NULL) lite_tree_string(to, kSubGraphName, name);
    if (w->plan->whole && lite_flat_field(from, kSubGraphDebugMetadataIndex) != NULL) {
        lite_tree_scalar(to, kSubGraphDebugMetadataIndex, 4,
                         lite_flat_u32(from, kSubGraphDebugMetadataIndex));
    }
    LITE_TRY(write_tensors(w, from, to));
    put_tensors(w, to, kSubGraphInputs, subgraph->inputs);
    put_tensors(w, to, kSubGraphOutputs, subgraph->outputs);
    lite_tree_tables(to, kSubGraphOperators);
    for (int i = 0; i < subgraph->node_count; i++) {
        const int node = subgraph->nodes[i];
        LiteTreeTable* table = lite_tree_append(to, kSubGraphOperators);
        if (node < 0)
            write_new_node(w, &w->plan->nodes[~node], table);
        else
            LITE_TRY(write_node(w, node, table));
    }
    return kTfLiteOk;
}

// The model itself
// ------------------------------------------------------------------------------------------------

static void write_metadata(const Write* w) {
    const LiteFlatVector old = lite_flat_vector(w->plan->root, kModelMetadataBuffer);
    const LiteFlatVector metadata = lite_flat_vector(w->plan->root, kModelMetadata);
    const uint32_t buffers = lite_flat_vector(w->plan->root, kModelBuffers).count;
    for (uint32_t i = 0; i < metadata.count; i++) {
        const uint32_t buffer = lite_flat_u32(lite_flat_element(metadata, i), kMetadataBuffer);
        lite_tree_scalar(lite_tree_at(w->model, kModelMetadata, (int)i), kMetadataBuffer, 4,
                         (uint32_t)w->plan->buffers[buffer]);
    }
    uint32_t* numbers = lite_tree_alloc(w->tree, old.count, sizeof(*numbers));
    if (old.count == 0 || numbers == NULL) return;
    for (uint32_t i = 0; i < old.count; i++) {
        numbers[i] = lite_flat_load_u32(old.data + 4 * (size_t)i);
        if (numbers[i] < buffers) numbers[i] = (uint32_t)w->plan->buffers[numbers[i]];
    }
    lite_tree_vector(w->model, kModelMetadataBuffer, numbers, old.count, 4, 4);
}

static void write_signatures(const Write* w) {
    const LiteFlatVector signatures = lite_flat_vector(w->plan->root, kModelSignatureDefs);
    static const int lists[] = {kSignatureInputs, kSignatureOutputs};
    for (uint32_t i = 0; i < signatures.count; i++) {
        const LiteFlatTable from = lite_flat_element(signatures, i);
        LiteTreeTable* to = lite_tree_at(w->model, kModelSignatureDefs, (int)i);
        const int* tensors = w->plan->subgraphs[lite_flat_u32(from, kSignatureSubgraphIndex)].tensors;
        for (int list = 0; list < 2; list++) {
            const LiteFlatVector maps = lite_flat_vector(from, lists[list]);
            for (uint32_t j = 0; j < maps.count; j++) {
                const uint32_t tensor = lite_flat_u32(lite_flat_element(maps, j), kTensorMapTensorIndex);
                lite_tree_scalar(lite_tree_at(to, lists[list], (int)j), kTensorMapTensorIndex, 4,
                                 (uint32_t)tensors[tensor]);
            }
        }
    }
}

static TfLiteStatus write_model(Write* w) {
    const LiteEditPlan* plan = w->plan;
    static const LiteFlatField no_fields[1];
    // The fields that are copied as they are, by id; the others are written below.
    LiteFlatField fields[kModelExternalBuffers + 1];
    LiteFlatSchema schema = lite_schema_model;
    const int there[] = {kModelOperatorCodes, kModelSubgraphs, kModelBuffers};
    memcpy(fields, lite_schema_model.fields, sizeof(fields));
    for (int i = 0; i < 3; i++) fields[there[i]] = no_fields[0];
    for (int id = kModelMetadataBuffer; id <= kModelExternalBuffers && !plan->whole; id++) {
        fields[id] = no_fields[0];
    }
    schema.fields = fields;
    lite_tree_copy(w->model, plan->root, &schema);
    write_codes(w);
    lite_tree_tables(w->model, kModelSubgraphs);
    for (int i = 0; i < plan->subgraph_count; i++) LITE_TRY(write_subgraph(w, &plan->subgraphs[i]));
    LITE_TRY(write_buffers(w));
    if (!plan->whole) return kTfLiteOk;
    write_metadata(w);
    write_signatures(w);
    return kTfLiteOk;
}

TfLiteStatus lite_edit_plan_write(LiteEditPlan* plan, uint8_t** data, size_t* size) {
    LITE_TRY(lite_edit_plan_number(plan));
    Write w = {.plan = plan, .tree = lite_tree_create()};
    const void* base;
    if (w.tree == NULL) return lite_report(plan->reporter, "out of memory");
    lite_model_file(plan->source, &base, &w.file_size);
    w.file = base;
    w.model = lite_tree_root(w.tree);
    TfLiteStatus status = write_model(&w);
    if (status == kTfLiteOk) {
        status = lite_tree_finish(w.tree, LITE_SCHEMA_IDENTIFIER, plan->reporter, data, size);
    }
    lite_tree_delete(w.tree);
    return status;
}
