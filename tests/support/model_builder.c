// SPDX-License-Identifier: Apache-2.0
#include "tests/support/model_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/options.h"
#include "core/model/schema.h"

typedef struct Copy {
    struct Copy* next;
    char bytes[];
} Copy;

struct ModelBuilder {
    LiteTree* tree;
    LiteTreeTable* model;
    LiteTreeTable* subgraph;
    Copy* copies;
    int64_t failures; // that a test has asked for, from when the model is finished
};

// A copy (zeros when `data` is NULL) that lives until the model is finished.
static void* keep(ModelBuilder* builder, const void* data, size_t bytes) {
    Copy* copy = calloc(1, sizeof(*copy) + bytes);
    if (copy == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    copy->next = builder->copies;
    builder->copies = copy;
    if (data != NULL) memcpy(copy->bytes, data, bytes);
    return copy->bytes;
}

static void set_ints(ModelBuilder* builder, LiteTreeTable* table, int id, const int32_t* values, int count) {
    const size_t bytes = (size_t)count * sizeof(*values);
    lite_tree_vector(table, id, keep(builder, values, bytes), (size_t)count, 4, 4);
}

ModelBuilder* builder_create(void) {
    ModelBuilder* builder = calloc(1, sizeof(*builder));
    if (builder == NULL) exit(1);
    builder->failures = lite_memory_pause_failures(); // tests are of the library, not of this
    builder->tree = lite_tree_create();
    builder->model = lite_tree_root(builder->tree);
    lite_tree_scalar(builder->model, kModelVersion, 4, LITE_SCHEMA_VERSION);
    lite_tree_tables(builder->model, kModelOperatorCodes);
    lite_tree_append(builder->model, kModelBuffers); // number 0, without contents
    builder_subgraph(builder, "main");
    return builder;
}

int builder_subgraph(ModelBuilder* builder, const char* name) {
    builder->subgraph = lite_tree_append(builder->model, kModelSubgraphs);
    lite_tree_string(builder->subgraph, kSubGraphName, name);
    lite_tree_tables(builder->subgraph, kSubGraphTensors);
    lite_tree_tables(builder->subgraph, kSubGraphOperators);
    return lite_tree_count(builder->model, kModelSubgraphs) - 1;
}

int builder_buffer(ModelBuilder* builder, const void* data, size_t bytes) {
    lite_tree_vector(lite_tree_append(builder->model, kModelBuffers), kBufferData, data, bytes, 1, 16);
    return lite_tree_count(builder->model, kModelBuffers) - 1;
}

static int tensor_type(TfLiteType type) {
    int value = 0;
    while (lite_options_tensor_type(value) != type && lite_options_tensor_type(value) != kTfLiteNoType)
        value++;
    return value;
}

static void set_quantization(ModelBuilder* builder, LiteTreeTable* table, const BuilderTensor* tensor) {
    if (tensor->scale == 0 && tensor->scale_count == 0) return;
    const size_t count = tensor->scale_count == 0 ? 1 : (size_t)tensor->scale_count;
    const float* scales = tensor->scale_count == 0 ? &tensor->scale : tensor->scales;
    const int64_t* zero_points = tensor->scale_count == 0 ? &tensor->zero_point : tensor->zero_points;
    LiteTreeTable* quantization = lite_tree_child(table, kTensorQuantization);
    lite_tree_vector(quantization, kQuantizationScale, keep(builder, scales, count * sizeof(float)), count, 4,
                     4);
    lite_tree_vector(quantization, kQuantizationZeroPoint,
                     keep(builder, zero_points, count * sizeof(int64_t)), count, 8, 8);
    lite_tree_scalar(quantization, kQuantizationQuantizedDimension, 4, (uint32_t)tensor->quantized_dimension);
}

static void set_sparsity(LiteTreeTable* table) {
    static const int32_t zero[] = {0}, segments[] = {0, 1};
    LiteTreeTable* sparsity = lite_tree_child(table, kTensorSparsity);
    lite_tree_vector(sparsity, kSparsityTraversalOrder, zero, 1, 4, 4);
    LiteTreeTable* dimension = lite_tree_append(sparsity, kSparsityDimMetadata);
    lite_tree_scalar(dimension, kDimensionFormat, 1, kTfLiteDimSparseCSR);
    lite_tree_scalar(dimension, kDimensionArraySegmentsType, 1, kSparseIndexInt32);
    lite_tree_vector(lite_tree_child(dimension, kDimensionArraySegments), 0, segments, 2, 4, 4);
    lite_tree_scalar(dimension, kDimensionArrayIndicesType, 1, kSparseIndexInt32);
    lite_tree_vector(lite_tree_child(dimension, kDimensionArrayIndices), 0, zero, 1, 4, 4);
}

int builder_tensor(ModelBuilder* builder, BuilderTensor tensor) {
    const int index = lite_tree_count(builder->subgraph, kSubGraphTensors);
    LiteTreeTable* table = lite_tree_append(builder->subgraph, kSubGraphTensors);
    char name[16];
    const int length = snprintf(name, sizeof(name), "t%d", index);
    lite_tree_string(table, kTensorName,
                     tensor.name != NULL ? tensor.name : keep(builder, name, (size_t)length + 1));
    set_ints(builder, table, kTensorShape, tensor.dims, tensor.rank);
    if (tensor.signature != NULL) {
        set_ints(builder, table, kTensorShapeSignature, tensor.signature, tensor.rank);
    }
    lite_tree_scalar(table, kTensorType, 1, (uint64_t)tensor_type(tensor.type));
    if (tensor.data != NULL) {
        lite_tree_scalar(table, kTensorBuffer, 4,
                         (uint32_t)builder_buffer(builder, tensor.data, tensor.bytes));
    }
    if (tensor.is_variable) lite_tree_scalar(table, kTensorIsVariable, 1, 1);
    if (tensor.sparse) set_sparsity(table);
    set_quantization(builder, table, &tensor);
    return index;
}

// Index of the operator code, added when it is new.
static int operator_code(ModelBuilder* builder, int code, const char* custom_name, int version) {
    LiteTreeTable* table = lite_tree_append(builder->model, kModelOperatorCodes);
    lite_tree_scalar(table, kOperatorCodeDeprecatedBuiltinCode, 1, code < 127 ? (uint64_t)code : 127);
    lite_tree_scalar(table, kOperatorCodeBuiltinCode, 4, (uint32_t)code);
    lite_tree_scalar(table, kOperatorCodeVersion, 4, (uint32_t)version);
    if (custom_name != NULL) lite_tree_string(table, kOperatorCodeCustomCode, custom_name);
    return lite_tree_count(builder->model, kModelOperatorCodes) - 1;
}

// The length of the array that `param` describes.
static size_t array_length(const LiteFlatField* field, const uint8_t* params) {
    uint64_t count = field->param.size / field->width;
    if (field->param.count_size != 0) {
        count = 0;
        memcpy(&count, params + field->param.count_offset, field->param.count_size);
    }
    return (size_t)count;
}

static void set_param(LiteTreeTable* options, int id, const LiteFlatField* field, const uint8_t* params) {
    const LiteParam* param = &field->param;
    const uint8_t* member = params + param->offset;
    int64_t value = 0;
    const void* pointer = NULL;
    if (field->kind == kLiteFlatScalar) {
        memcpy(&value, member, param->size);
        // What the format has no word for (kTfLitePaddingUnknown, kTfLiteNoType) is left out.
        if (param->kind == kLiteParamEnum && (value -= param->preset) < 0) return;
        if (param->kind == kLiteParamType && value == kTfLiteNoType) return;
        if (param->kind == kLiteParamType) value = tensor_type((TfLiteType)value);
        lite_tree_scalar(options, id, field->width, (uint64_t)value);
        return;
    }
    switch (param->kind) {
    case kLiteParamText:
        memcpy(&pointer, member, sizeof(pointer));
        if (pointer != NULL) lite_tree_string(options, id, pointer);
        return;
    case kLiteParamFloatPointer:
    case kLiteParamBytePointer:
        memcpy(&pointer, member, sizeof(pointer));
        break;
    default:
        pointer = member;
        break;
    }
    if (pointer != NULL) lite_tree_vector(options, id, pointer, array_length(field, params), field->width, 8);
}

static void set_options(LiteTreeTable* op, int code, const uint8_t* params) {
    bool in_second;
    const LiteFlatSchema* schema = lite_options_of(code, &in_second);
    if (schema == NULL || params == NULL) return;
    const LiteFlatUnion* members = in_second ? &lite_schema_builtin_options_2 : &lite_schema_builtin_options;
    const int type_id = in_second ? kOperatorBuiltinOptions2Type : kOperatorBuiltinOptionsType;
    uint64_t type = 0;
    while (members->members[type] != schema) type++;
    lite_tree_scalar(op, type_id, 1, type);
    LiteTreeTable* options = lite_tree_child(op, type_id + 1);
    for (int id = 0; id < schema->field_count; id++) {
        if (schema->fields[id].param.kind != kLiteParamNone) {
            set_param(options, id, &schema->fields[id], params);
        }
    }
}

int builder_operator(ModelBuilder* builder, BuilderOperator op) {
    const int index = lite_tree_count(builder->subgraph, kSubGraphOperators);
    LiteTreeTable* table = lite_tree_append(builder->subgraph, kSubGraphOperators);
    const int code = op.custom_name != NULL ? kTfLiteBuiltinCustom : (int)op.code;
    const int version = op.version == 0 ? 1 : op.version;
    lite_tree_scalar(table, kOperatorOpcodeIndex, 4,
                     (uint32_t)operator_code(builder, code, op.custom_name, version));
    set_ints(builder, table, kOperatorInputs, op.inputs.values, op.inputs.count);
    set_ints(builder, table, kOperatorOutputs, op.outputs.values, op.outputs.count);
    if (op.intermediates.count > 0) {
        set_ints(builder, table, kOperatorIntermediates, op.intermediates.values, op.intermediates.count);
    }
    if (op.custom_options != NULL) {
        lite_tree_vector(table, kOperatorCustomOptions, op.custom_options, op.custom_options_size, 1, 16);
    }
    set_options(table, code, op.params);
    return index;
}

void builder_inputs(ModelBuilder* builder, BuilderInts tensors) {
    set_ints(builder, builder->subgraph, kSubGraphInputs, tensors.values, tensors.count);
}

void builder_outputs(ModelBuilder* builder, BuilderInts tensors) {
    set_ints(builder, builder->subgraph, kSubGraphOutputs, tensors.values, tensors.count);
}

static void set_names(LiteTreeTable* signature, int id, const BuilderNames* names) {
    lite_tree_tables(signature, id);
    for (int i = 0; i < names->count; i++) {
        LiteTreeTable* map = lite_tree_append(signature, id);
        lite_tree_string(map, kTensorMapName, names->items[i].name);
        lite_tree_scalar(map, kTensorMapTensorIndex, 4, (uint32_t)names->items[i].tensor);
    }
}

void builder_signature(ModelBuilder* builder, const char* key, int subgraph, BuilderNames inputs,
                       BuilderNames outputs) {
    LiteTreeTable* signature = lite_tree_append(builder->model, kModelSignatureDefs);
    lite_tree_string(signature, kSignatureKey, key);
    lite_tree_scalar(signature, kSignatureSubgraphIndex, 4, (uint32_t)subgraph);
    set_names(signature, kSignatureInputs, &inputs);
    set_names(signature, kSignatureOutputs, &outputs);
}

void builder_metadata(ModelBuilder* builder, const char* name, const void* data, size_t bytes) {
    LiteTreeTable* metadata = lite_tree_append(builder->model, kModelMetadata);
    lite_tree_string(metadata, kMetadataName, name);
    lite_tree_scalar(metadata, kMetadataBuffer, 4, (uint32_t)builder_buffer(builder, data, bytes));
}

LiteTreeTable* builder_model(ModelBuilder* builder) {
    return builder->model;
}

LiteTreeTable* builder_subgraph_table(ModelBuilder* builder) {
    return builder->subgraph;
}

LiteTreeTable* builder_tensor_table(ModelBuilder* builder, int index) {
    return lite_tree_at(builder->subgraph, kSubGraphTensors, index);
}

LiteTreeTable* builder_operator_table(ModelBuilder* builder, int index) {
    return lite_tree_at(builder->subgraph, kSubGraphOperators, index);
}

uint8_t* builder_finish(ModelBuilder* builder, size_t* size) {
    uint8_t* bytes = flat_finish(builder->tree, LITE_SCHEMA_IDENTIFIER, size);
    while (builder->copies != NULL) {
        Copy* next = builder->copies->next;
        free(builder->copies);
        builder->copies = next;
    }
    lite_memory_resume_failures(builder->failures);
    free(builder);
    return bytes;
}
