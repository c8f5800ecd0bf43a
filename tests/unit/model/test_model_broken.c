// SPDX-License-Identifier: Apache-2.0
// Files that are broken on purpose, each with what the loader says about it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/model/schema.h"
#include "tests/support/broken_model.h"

// Faults of one field
// ------------------------------------------------------------------------------------------

typedef enum Where { kModel, kCode, kSubgraph, kX, kW, kBuffer, kOperator, kOptions } Where;

static LiteTreeTable* find(ModelBuilder* b, Where where) {
    switch (where) {
    case kCode:
        return lite_tree_at(builder_model(b), kModelOperatorCodes, 0);
    case kSubgraph:
        return builder_subgraph_table(b);
    case kX:
    case kW:
        return builder_tensor_table(b, where == kX ? 0 : 1);
    case kBuffer:
        return lite_tree_at(builder_model(b), kModelBuffers, 1);
    case kOperator:
        return builder_operator_table(b, 0);
    case kOptions:
        return lite_tree_at(builder_operator_table(b, 0), kOperatorBuiltinOptions, 0);
    default:
        return builder_model(b);
    }
}

typedef struct Fault {
    Where where;
    int field;
    int width; // 0: the field is removed
    uint64_t value;
    const char* message; // NULL: this is no fault
} Fault;

static const Fault faults[] = {
    {kModel, kModelVersion, 4, 2, "schema version 2, not equal to supported version 3"},
    {kModel, kModelVersion, 0, 0, "schema version 0"},
    {kModel, kModelSubgraphs, 0, 0, "No subgraph in the model"},
    {kModel, kModelOperatorCodes, 0, 0, "Subgraph 0, operator 0 (): opcode_index is 0, but the model has 0"},
    {kModel, kModelBuffers, 0, 0, "No buffers in the model"},
    {kSubgraph, kSubGraphTensors, 0, 0, "Did not get tensors in subgraph 0"},
    {kSubgraph, kSubGraphOperators, 0, 0, NULL},
    {kSubgraph, kSubGraphInputs, 0, 0, NULL},
    {kCode, kOperatorCodeBuiltinCode, 4, 210, "Op builtin_code out of range: 210"},
    {kCode, kOperatorCodeBuiltinCode, 4, 32, "operator 0 (CUSTOM): a custom operator without custom_code"},
    {kCode, kOperatorCodeBuiltinCode, 4, UINT32_MAX, NULL}, // the old byte counts
    {kCode, kOperatorCodeVersion, 4, 77, NULL}, // whether it can be run is not the model's business
    {kX, kTensorType, 1, 23, "tensor 0 (x): has the unknown type 23"},
    {kX, kTensorType, 1, 255, "unknown type"},
    {kX, kTensorBuffer, 4, 2, "specifies out of range buffer 2 (only 2 buffers)"},
    {kX, kTensorExternalBuffer, 4, 1, "another file"},
    {kW, kTensorType, 1, 4, "needs 48 bytes, but its buffer 1 holds 24"},
    {kW, kTensorType, 1, 9, NULL}, // more bytes than needed
    {kW, kTensorType, 1, 5, "strings do not fit into 24 bytes"},
    {kBuffer, kBufferData, 0, 0, NULL},
    {kOperator, kOperatorOpcodeIndex, 4, 1, "opcode_index is 1, but the model has 1 operator codes"},
    {kOperator, kOperatorInputs, 0, 0, NULL}, // how many there must be, the kernel knows
    {kOptions, 0, 1, 6, NULL},                // an activation that is not known is none
    {kOptions, 0, 1, 255, NULL},
    {kOperator, kOperatorBuiltinOptionsType, 1, 200, NULL}, // unknown to this schema
};

static void faults_of_one_field_are_named(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        const Fault* fault = &faults[i];
        ModelBuilder* b = broken_model();
        LiteTreeTable* table = find(b, fault->where);
        if (fault->width == 0)
            lite_tree_remove(table, fault->field);
        else
            lite_tree_scalar(table, fault->field, fault->width, fault->value);
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, fault->message);
        free(bytes);
    }
}

// Faults of vectors
// --------------------------------------------------------------------------------------------

typedef struct VectorFault {
    Where where;
    int field;
    int count;
    int32_t values[6];
    const char* message;
} VectorFault;

static const VectorFault vector_faults[] = {
    {kX, kTensorShape, 2, {2, -3}, "tensor 0 (x): dimension 1 is -3"},
    {kX, kTensorShape, 3, {INT32_MAX, INT32_MAX, 4}, "its 3 dimensions make too many elements"},
    {kX, kTensorShape, 4, {INT32_MAX, 0, INT32_MAX, INT32_MAX}, "too many elements"},
    {kX, kTensorShape, 3, {INT32_MAX, 0, INT32_MAX}, NULL},
    {kX, kTensorShape, 2, {0, 5}, NULL},
    {kX, kTensorShapeSignature, 2, {-1, 3}, NULL},
    {kW, kTensorShape, 2, {2, 4}, "needs 32 bytes, but its buffer 1 holds 24"},
    {kW, kTensorShape, 2, {1 << 20, 1 << 20}, "too many elements"},
    {kSubgraph, kSubGraphInputs, 1, {3}, "Subgraph 0 (main): Invalid tensor index 3 in inputs"},
    {kSubgraph, kSubGraphInputs, 1, {-2}, "Invalid tensor index -2 in inputs"},
    {kSubgraph, kSubGraphOutputs, 1, {57}, "Invalid tensor index 57 in outputs. The subgraph has 3 tensors"},
    {kOperator, kOperatorInputs, 2, {-1, 0}, NULL},
    {kOperator, kOperatorInputs, 2, {-2, 0}, "Invalid tensor index -2 in node inputs"},
    {kOperator, kOperatorInputs, 2, {0, 3}, "Invalid tensor index 3 in node inputs"},
    {kOperator, kOperatorOutputs, 1, {-1}, "Invalid tensor index -1 in node outputs"},
    {kOperator, kOperatorOutputs, 1, {3}, "Invalid tensor index 3 in node outputs"},
    {kOperator, kOperatorInputs, 2, {0, 2}, "operator 0 (ADD): tensor 2 is an input and an output of it"},
    {kOperator, kOperatorOutputs, 2, {2, 2}, "operator 0 (ADD): tensor 2 is already an output of operator 0"},
    {kOperator, kOperatorIntermediates, 1, {4}, "Invalid tensor index 4 in node intermediates"},
};

static void faults_of_vectors_are_named(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(vector_faults) / sizeof(vector_faults[0]); i++) {
        const VectorFault* fault = &vector_faults[i];
        ModelBuilder* b = broken_model();
        lite_tree_vector(find(b, fault->where), fault->field, fault->values, (size_t)fault->count, 4, 4);
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, fault->message);
        free(bytes);
    }
}

// Quantization of x
// --------------------------------------------------------------------------------------------

typedef struct QuantizationFault {
    TfLiteType type;
    int scale_count;
    float scales[4];
    int zero_point_count;
    int64_t zero_points[4];
    int dimension;
    const char* message;
} QuantizationFault;

static const QuantizationFault quantization_faults[] = {
    {kTfLiteInt8, 1, {1}, 1, {0}, 1, NULL},
    {kTfLiteInt8, 0, {0}, 1, {0}, 0, NULL},
    {kTfLiteInt8, 1, {1}, 0, {0}, 0, "1 scales, but 0 zero points"},
    {kTfLiteInt8, 3, {1, 2, 3}, 2, {0}, 1, "3 scales, but 2 zero points"},
    {kTfLiteInt8, 3, {1, 2, 3}, 3, {0}, 1, NULL},
    {kTfLiteInt8, 3, {1, 2, 3}, 3, {0}, 0, "3 scales for the 2 channels of dimension 0"},
    {kTfLiteInt8, 3, {1, 2, 3}, 3, {0}, 2, "quantized_dimension is 2, but the tensor has 2 dimensions"},
    {kTfLiteInt8, 3, {1, 2, 3}, 3, {0}, -1, "quantized_dimension is -1"},
    {kTfLiteInt8, 1, {1}, 1, {0}, 2, "quantized_dimension is 2, but the tensor has 2 dimensions"},
    {kTfLiteInt8, 1, {1}, 1, {128}, 0, "zero_point[0] is 128, not in [-128, 127]"},
    {kTfLiteUInt8, 1, {1}, 1, {-1}, 0, "zero_point[0] is -1, not in [0, 255]"},
    {kTfLiteFloat32, 1, {1}, 1, {INT64_MAX}, 0, "zero_point[0] is 9223372036854775807"},
    {kTfLiteInt8, 1, {-1}, 1, {0}, 0, "scale[0] is -1"},
    {kTfLiteInt8, 1, {1e38f * 10}, 1, {0}, 0, "scale[0] is inf"},
};

static void faults_of_quantization_are_named(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(quantization_faults) / sizeof(quantization_faults[0]); i++) {
        const QuantizationFault* fault = &quantization_faults[i];
        ModelBuilder* b = builder_create();
        builder_tensor(b, (BuilderTensor){.type = fault->type, .rank = 2, .dims = {2, 3}});
        LiteTreeTable* q = lite_tree_child(builder_tensor_table(b, 0), kTensorQuantization);
        lite_tree_vector(q, kQuantizationScale, fault->scales, (size_t)fault->scale_count, 4, 4);
        lite_tree_vector(q, kQuantizationZeroPoint, fault->zero_points, (size_t)fault->zero_point_count, 8,
                         8);
        lite_tree_scalar(q, kQuantizationQuantizedDimension, 4, (uint32_t)fault->dimension);
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, fault->message);
        free(bytes);
    }
}

typedef struct BlockFault {
    int details; // 0: absent
    int type;
    int scales;
    int zero_points;
    int dimension;
    int block;
    const char* message;
} BlockFault;

static const BlockFault block_faults[] = {
    {1, kDetailsBlockwise, 0, -1, 1, 32, NULL},
    {0, kDetailsBlockwise, 0, 0, 0, 0, "the details are missing"},
    {1, kDetailsBlockwise, 1, 0, 0, 0, "scales are tensor 1, zero points tensor 0, but there are 1 tensors"},
    {1, kDetailsBlockwise, -1, 0, 0, 0, "scales are tensor -1"},
    {1, kDetailsBlockwise, 0, -2, 0, 0, "zero points tensor -2"},
    {1, kDetailsBlockwise, 0, 0, 2, 0, "quantized_dimension is 2, but the tensor has 2 dimensions"},
    {1, kDetailsBlockwise, 0, 0, 0, -4, "block_size is -4"},
    {1, kDetailsMultiAxis, 0, 0, 1, 32, NULL},
    {1, kDetailsMultiAxis, 0, 0, 2, 32, "quantized_dimensions[0] is 2, but the tensor has 2 dimensions"},
    {1, kDetailsCustom, 0, 0, 0, 0, NULL},
};

static void faults_of_block_quantization_are_named(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(block_faults) / sizeof(block_faults[0]); i++) {
        const BlockFault* fault = &block_faults[i];
        ModelBuilder* b = builder_create();
        builder_tensor(b, (BuilderTensor){.type = kTfLiteInt8, .rank = 2, .dims = {2, 3}});
        LiteTreeTable* q = lite_tree_child(builder_tensor_table(b, 0), kTensorQuantization);
        lite_tree_scalar(q, kQuantizationDetailsType, 1, (uint64_t)fault->type);
        lite_tree_scalar(q, kQuantizationQuantizedDimension, 4, (uint32_t)fault->dimension);
        const int32_t dimensions[] = {fault->dimension};
        if (fault->details && fault->type != kDetailsCustom) {
            LiteTreeTable* details = lite_tree_child(q, kQuantizationDetails);
            lite_tree_scalar(details, kBlockwiseScales, 4, (uint32_t)fault->scales);
            lite_tree_scalar(details, kBlockwiseZeroPoints, 4, (uint32_t)fault->zero_points);
            lite_tree_scalar(details, kBlockwiseBlockSize, 4, (uint32_t)fault->block);
            if (fault->type == kDetailsMultiAxis) {
                lite_tree_vector(details, kMultiAxisQuantizedDimensions, dimensions, 1, 4, 4);
            }
        }
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, fault->message);
        free(bytes);
    }
}

// Strings
// ------------------------------------------------------------------------------------------------------

typedef struct StringFault {
    size_t bytes;
    uint32_t words[5];
    const char* message;
} StringFault;

static const StringFault string_faults[] = {
    // for 2 elements
    {20, {2, 16, 17, 20, 0}, NULL},
    {20, {2, 16, 17, 18, 0}, NULL},
    {4, {2}, "2 strings do not fit into 4 bytes"},
    {12, {2, 16, 17}, "2 strings do not fit into 12 bytes"},
    {20, {UINT32_MAX}, "4294967295 strings do not fit"},
    {20, {1, 12, 20}, "1 strings for 2 elements"},
    {20, {2, 12, 17, 20, 0}, "string 0 begins at byte 12, not in [16, 20]"},
    {20, {2, 16, 15, 20, 0}, "string 1 begins at byte 15, not in [16, 20]"},
    {20, {2, 16, 17, 21, 0}, "string 2 begins at byte 21, not in [17, 20]"},
};

static void faults_of_strings_are_named(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(string_faults) / sizeof(string_faults[0]); i++) {
        const StringFault* fault = &string_faults[i];
        ModelBuilder* b = builder_create();
        builder_tensor(
            b,
            (BuilderTensor){
                .type = kTfLiteString, .rank = 1, .dims = {2}, .data = fault->words, .bytes = fault->bytes});
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, fault->message);
        free(bytes);
    }
}

// Sparsity of a [2, 3] tensor: the first dimension dense, the second compressed
// ---------------------------------

typedef struct SparsityFault {
    int32_t order[2];
    int order_count;
    int32_t dense_size;
    int32_t segments[3];
    int segment_count;
    int32_t indices[3];
    int index_count;
    const char* message;
} SparsityFault;

static const SparsityFault sparsity_faults[] = {
    {{0, 1}, 2, 2, {0, 1, 3}, 3, {2, 0, 1}, 3, NULL},
    {{0, 1}, 1, 2, {0, 1, 3}, 3, {2, 0, 1}, 3, "traversal_order and dim_metadata must have 2 elements"},
    {{0, 0}, 2, 2, {0, 1, 3}, 3, {2, 0, 1}, 3, "traversal_order[1] is 0"},
    {{0, 2}, 2, 2, {0, 1, 3}, 3, {2, 0, 1}, 3, "traversal_order[1] is 2"},
    {{-1, 1}, 2, 2, {0, 1, 3}, 3, {2, 0, 1}, 3, "traversal_order[0] is -1"},
    {{0, 1}, 2, 3, {0, 1, 3}, 3, {2, 0, 1}, 3, "dense_size of dimension 0 is 3, expected 2"},
    {{0, 1}, 2, 2, {0, 1, 3}, 2, {2, 0, 1}, 3, "dimension 1 has 2 segments, expected 3"},
    {{0, 1}, 2, 2, {1, 1, 3}, 3, {2, 0, 1}, 3, "array_segments[0] is 1"},
    {{0, 1}, 2, 2, {0, 4, 3}, 3, {2, 0, 1}, 3, "array_segments[1] is 4"},
    {{0, 1}, 2, 2, {0, 2, 1}, 3, {2, 0, 1}, 3, "array_segments[2] is 1"},
    {{0, 1}, 2, 2, {0, 1, 2}, 3, {2, 0, 1}, 3, "dimension 1 has 3 indices, its segments end at 2"},
    {{0, 1}, 2, 2, {0, 1, 3}, 3, {2, 0, 3}, 3, "array_indices[2] is 3, not in [0, 3)"},
    {{0, 1}, 2, 2, {0, 1, 3}, 3, {2, 0, -1}, 3, "array_indices[2] is -1"},
    {{1, 0},
     2,
     3,
     {
         0,
         1,
         2,
     },
     3,
     {0, 0},
     2,
     "dimension 1 has 3 segments, expected 4"},
};

static void faults_of_sparsity_are_named(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(sparsity_faults) / sizeof(sparsity_faults[0]); i++) {
        const SparsityFault* fault = &sparsity_faults[i];
        ModelBuilder* b = broken_model();
        LiteTreeTable* sparsity = lite_tree_child(builder_tensor_table(b, 1), kTensorSparsity);
        lite_tree_vector(sparsity, kSparsityTraversalOrder, fault->order, (size_t)fault->order_count, 4, 4);
        LiteTreeTable* dense = lite_tree_append(sparsity, kSparsityDimMetadata);
        lite_tree_scalar(dense, kDimensionDenseSize, 4, (uint32_t)fault->dense_size);
        LiteTreeTable* compressed = lite_tree_append(sparsity, kSparsityDimMetadata);
        lite_tree_scalar(compressed, kDimensionFormat, 1, 1);
        lite_tree_scalar(compressed, kDimensionArraySegmentsType, 1, kSparseIndexInt32);
        lite_tree_scalar(compressed, kDimensionArrayIndicesType, 1, kSparseIndexInt32);
        LiteTreeTable* segments = lite_tree_child(compressed, kDimensionArraySegments);
        lite_tree_vector(segments, 0, fault->segments, (size_t)fault->segment_count, 4, 4);
        LiteTreeTable* indices = lite_tree_child(compressed, kDimensionArrayIndices);
        lite_tree_vector(indices, 0, fault->indices, (size_t)fault->index_count, 4, 4);
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, fault->message);
        free(bytes);
    }
}

// Signatures and metadata
// --------------------------------------------------------------------------------------

static void faults_of_signatures_are_named(void** state) {
    (void)state;
    static const char* messages[] = {"A signature has no key",
                                     "Signature serve belongs to subgraph 1, but the model has 1",
                                     "Signature serve: in is tensor 3, but there are 3 tensors",
                                     "Signature serve: a name is missing",
                                     "specifies out of range buffer 9",
                                     NULL};
    for (int i = 0; i < 6; i++) {
        ModelBuilder* b = broken_model();
        builder_signature(b, "serve", i == 1, (BuilderNames){1, {{"in", i == 2 ? 3 : 0}}},
                          (BuilderNames){1, {{"out", 2}}});
        builder_metadata(b, "note", "abc", 3);
        LiteTreeTable* signature = lite_tree_at(builder_model(b), kModelSignatureDefs, 0);
        if (i == 0) lite_tree_remove(signature, kSignatureKey);
        if (i == 3) lite_tree_remove(lite_tree_at(signature, kSignatureOutputs, 0), kTensorMapName);
        if (i == 4)
            lite_tree_scalar(lite_tree_at(builder_model(b), kModelMetadata, 0), kMetadataBuffer, 4, 9);
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, messages[i]);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_one_field_are_named),
        cmocka_unit_test(faults_of_vectors_are_named),
        cmocka_unit_test(faults_of_quantization_are_named),
        cmocka_unit_test(faults_of_block_quantization_are_named),
        cmocka_unit_test(faults_of_strings_are_named),
        cmocka_unit_test(faults_of_sparsity_are_named),
        cmocka_unit_test(faults_of_signatures_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
