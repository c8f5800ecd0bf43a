// SPDX-License-Identifier: Apache-2.0
// The tables that make up a model, except for operators' options. Variables are named as the schema's tables
// are.
#include "core/model/schema.h"

#include "core/model/describe.h"

TABLE(CustomQuantization, VECTOR(custom, 1));
TABLE(BlockwiseQuantization, SCALAR(scales, 4), SCALAR(zero_points, 4), SCALAR(block_size, 4));
TABLE(MultiAxisQuantization, SCALAR(scales, 4), SCALAR(zero_points, 4), SCALAR(block_size, 4),
      VECTOR(quantized_dimensions, 4));
UNION_OF(QuantizationDetails, &CustomQuantization, &BlockwiseQuantization, &MultiAxisQuantization);
TABLE(QuantizationParameters, VECTOR(min, 4), VECTOR(max, 4), VECTOR(scale, 4), VECTOR(zero_point, 8),
      SCALAR(details_type, 1), UNION(details, QuantizationDetails), SCALAR(quantized_dimension, 4));

TABLE(Int32Vector, VECTOR(values, 4));
TABLE(Uint16Vector, VECTOR(values, 2));
TABLE(Uint8Vector, VECTOR(values, 1));
UNION_OF(SparseIndexVector, &Int32Vector, &Uint16Vector, &Uint8Vector);
TABLE(DimensionMetadata, SCALAR(format, 1), SCALAR(dense_size, 4), SCALAR(array_segments_type, 1),
      UNION(array_segments, SparseIndexVector), SCALAR(array_indices_type, 1),
      UNION(array_indices, SparseIndexVector));
TABLE(SparsityParameters, VECTOR(traversal_order, 4), VECTOR(block_map, 4),
      TABLES(dim_metadata, DimensionMetadata));

TABLE(VariantSubType, VECTOR(shape, 4), SCALAR(type, 1), SCALAR(has_rank, 1));
TABLE(Tensor, VECTOR(shape, 4), SCALAR(type, 1), SCALAR(buffer, 4), STRING(name),
      CHILD(quantization, QuantizationParameters), SCALAR(is_variable, 1),
      CHILD(sparsity, SparsityParameters), VECTOR(shape_signature, 4), SCALAR(has_rank, 1),
      TABLES(variant_tensors, VariantSubType), SCALAR(external_buffer, 4));

TABLE(OperatorCode, SCALAR(deprecated_builtin_code, 1), STRING(custom_code), SCALAR(version, 4),
      SCALAR(builtin_code, 4));
TABLE(Operator, SCALAR(opcode_index, 4), VECTOR(inputs, 4), VECTOR(outputs, 4),
      SCALAR(builtin_options_type, 1), UNION(builtin_options, lite_schema_builtin_options),
      VECTOR(custom_options, 1), SCALAR(custom_options_format, 1), VECTOR(mutating_variable_inputs, 1),
      VECTOR(intermediates, 4), SCALAR(large_custom_options_offset, 8), SCALAR(large_custom_options_size, 8),
      SCALAR(builtin_options_2_type, 1), UNION(builtin_options_2, lite_schema_builtin_options_2),
      SCALAR(debug_metadata_index, 4));
TABLE(SubGraph, TABLES(tensors, Tensor), VECTOR(inputs, 4), VECTOR(outputs, 4), TABLES(operators, Operator),
      STRING(name), SCALAR(debug_metadata_index, 4));

TABLE(Buffer, VECTOR(data, 1), SCALAR(offset, 8), SCALAR(size, 8));
TABLE(ExternalBufferGroup, STRING(name));
TABLE(ExternalBuffer, SCALAR(id, 4), SCALAR(group, 4), SCALAR(offset, 8), SCALAR(length, 8), STRING(packing));
TABLE(Metadata, STRING(name), SCALAR(buffer, 4));
TABLE(TensorMap, STRING(name), SCALAR(tensor_index, 4));
TABLE(SignatureDef, TABLES(inputs, TensorMap), TABLES(outputs, TensorMap), STRING(signature_key),
      DEPRECATED(deprecated_tag), SCALAR(subgraph_index, 4));
static const LiteFlatField ModelFields[] = {
    SCALAR(version, 4),
    TABLES(operator_codes, OperatorCode),
    TABLES(subgraphs, SubGraph),
    STRING(description),
    TABLES(buffers, Buffer),
    VECTOR(metadata_buffer, 4),
    TABLES(metadata, Metadata),
    TABLES(signature_defs, SignatureDef),
    TABLES(external_buffer_groups, ExternalBufferGroup),
    TABLES(external_buffers, ExternalBuffer),
};
const LiteFlatSchema lite_schema_model = {
    .name = "Model", .field_count = COUNT(ModelFields), .fields = ModelFields};

int lite_schema_builtin_code(LiteFlatTable code) {
    const int old = (int8_t)lite_flat_u8(code, kOperatorCodeDeprecatedBuiltinCode);
    const int32_t builtin = lite_flat_i32(code, kOperatorCodeBuiltinCode, 0);
    return builtin > old ? builtin : old;
}
