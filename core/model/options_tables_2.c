// SPDX-License-Identifier: Apache-2.0
// The members of the union BuiltinOptions2: options of StableHLO operators and of those that came after the
// first union was full. Variables are named as the schema's tables are.
#include "core/model/options_tables_2.h"
#include "core/model/describe.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"

// All options tables that have no fields.
static const LiteFlatSchema NoFields = {.name = "no fields"};

OPTIONS(StablehloConcatenateOptions, StablehloConcatenate, INT64(StablehloConcatenate, dimension));
TABLE(StablehloBroadcastInDimOptions, VECTOR(broadcast_dimensions, 8));
TABLE(StablehloSliceOptions, VECTOR(start_indices, 8), VECTOR(limit_indices, 8), VECTOR(strides, 8));
TABLE(StablehloConvolutionOptions, VECTOR(window_strides, 8), VECTOR(padding, 8), VECTOR(lhs_dilation, 8),
      VECTOR(rhs_dilation, 8), VECTOR(window_reversal, 1), SCALAR(input_batch_dimension, 8),
      SCALAR(input_feature_dimension, 8), VECTOR(input_spatial_dimensions, 8),
      SCALAR(kernel_input_feature_dimension, 8), SCALAR(kernel_output_feature_dimension, 8),
      VECTOR(kernel_spatial_dimensions, 8), SCALAR(output_batch_dimension, 8),
      SCALAR(output_feature_dimension, 8), VECTOR(output_spatial_dimensions, 8),
      SCALAR(feature_group_count, 8), SCALAR(batch_group_count, 8), VECTOR(precision_config, 4));
TABLE(StablehloCustomCallOptions, STRING(call_target_name), SCALAR(has_side_effect, 1),
      STRING(backend_config), SCALAR(api_version, 4), SUBGRAPH_NUMBERS(called_computations),
      VECTOR(custom_attributes, 1));
TABLE(StablehloReduceOptions, VECTOR(dimensions, 8), SUBGRAPH_NUMBER(body_subgraph_index));
OPTIONS(StablehloScatterOptions, StablehloScatter, BOOL(StablehloScatter, indices_are_sorted),
        LONGS(StablehloScatter, update_window_dims), LONGS(StablehloScatter, inserted_window_dims),
        LONGS(StablehloScatter, scatter_dims_to_operand_dims), INT64(StablehloScatter, index_vector_dim),
        BOOL(StablehloScatter, unique_indices),
        SUBGRAPH(StablehloScatter, update_computation_subgraph_index));
TABLE(StablehloCompareOptions, SCALAR(comparison_direction, 4), SCALAR(compare_type, 4));
TABLE(StablehloDynamicSliceOptions, VECTOR(slice_sizes, 8));
OPTIONS(StablehloPadOptions, StablehloPad, LONGS_REQUIRED(StablehloPad, edge_padding_low),
        LONGS_REQUIRED(StablehloPad, edge_padding_high), LONGS_REQUIRED(StablehloPad, interior_padding));
TABLE(StablehloIotaOptions, SCALAR(iota_dimension, 8));
TABLE(StablehloDotGeneralOptions, VECTOR(lhs_batching_dimensions, 8), VECTOR(rhs_batching_dimensions, 8),
      VECTOR(lhs_contracting_dimensions, 8), VECTOR(rhs_contracting_dimensions, 8),
      VECTOR(precision_config, 4));
OPTIONS(StablehloReduceWindowOptions, StablehloReduceWindow,
        LONGS_REQUIRED(StablehloReduceWindow, window_dimensions),
        LONGS_OR(StablehloReduceWindow, window_strides, 1, 1),
        LONGS_OR(StablehloReduceWindow, base_dilations, 1, 1),
        LONGS_OR(StablehloReduceWindow, window_dilations, 1, 1),
        LONGS_OR(StablehloReduceWindow, padding, 2, 0), SUBGRAPH(StablehloReduceWindow, body_subgraph_index));
TABLE(StablehloSortOptions, SCALAR(dimension, 8), SCALAR(is_stable, 1),
      SUBGRAPH_NUMBER(comparator_subgraph_index));
TABLE(StablehloWhileOptions, SUBGRAPH_NUMBER(cond_subgraph_index), SUBGRAPH_NUMBER(body_subgraph_index));
OPTIONS(StablehloGatherOptions, StablehloGather, LONGS(StablehloGather, offset_dims),
        LONGS(StablehloGather, collapsed_slice_dims), LONGS(StablehloGather, start_index_map),
        INT64(StablehloGather, index_vector_dim), LONGS(StablehloGather, slice_sizes),
        BOOL(StablehloGather, indices_are_sorted));
TABLE(StablehloTransposeOptions, VECTOR(permutation, 8));
OPTIONS(StablehloRngBitGeneratorOptions, StablehloRngBitGenerator,
        ENUM(StablehloRngBitGenerator, algorithm, 2, 1));
OPTIONS(ReduceWindowOptions, ReduceWindow, ENUM_TO(ReduceWindow, reduce_function, reduce_function, 4, 6, 0));
OPTIONS(StableHLOCompositeOptions, StablehloComposite, TEXT(StablehloComposite, name),
        SUBGRAPH_TO(StablehloComposite, decomposition_subgraph_index, subgraph_index),
        ARRAY(StablehloComposite, composite_attributes, attributes, attributes_size, 1,
              .kind = kLiteParamBytePointer),
        SCALAR(composite_attributes_format, 1), INT(StablehloComposite, version));
OPTIONS(StablehloCaseOptions, StablehloCase,
        ARRAY(StablehloCase, branch_subgraph_indices, branch_subgraph_indices, num_branches, 4,
              .kind = kLiteParamSubgraphs));

static const LiteFlatSchema* const members[] = {
    [0] = NULL,
    &StablehloConcatenateOptions,
    &StablehloBroadcastInDimOptions,
    &StablehloSliceOptions,
    &StablehloConvolutionOptions,
    &StablehloCustomCallOptions,
    &StablehloReduceOptions,
    &StablehloScatterOptions,
    &StablehloCompareOptions,
    &StablehloDynamicSliceOptions,
    [10] = &StablehloPadOptions,
    &StablehloIotaOptions,
    &StablehloDotGeneralOptions,
    &StablehloReduceWindowOptions,
    &StablehloSortOptions,
    &StablehloWhileOptions,
    &StablehloGatherOptions,
    &StablehloTransposeOptions,
    &NoFields,
    &StablehloRngBitGeneratorOptions,
    [20] = &ReduceWindowOptions,
    &StableHLOCompositeOptions,
    &NoFields,
    &StablehloCaseOptions,
};
const LiteFlatUnion lite_schema_builtin_options_2 = {COUNT(members), members};

const LiteFlatSchema* const lite_schema_operator_options_2[LITE_SCHEMA_OPERATORS] = {
    [kTfLiteBuiltinStablehloConcatenate] = &StablehloConcatenateOptions,
    [kTfLiteBuiltinStablehloScatter] = &StablehloScatterOptions,
    [kTfLiteBuiltinStablehloPad] = &StablehloPadOptions,
    [kTfLiteBuiltinStablehloReduceWindow] = &StablehloReduceWindowOptions,
    [kTfLiteBuiltinStablehloGather] = &StablehloGatherOptions,
    [kTfLiteBuiltinStablehloRngBitGenerator] = &StablehloRngBitGeneratorOptions,
    [kTfLiteBuiltinReduceWindow] = &ReduceWindowOptions,
    [kTfLiteBuiltinStablehloComposite] = &StableHLOCompositeOptions,
    [kTfLiteBuiltinStablehloCase] = &StablehloCaseOptions,
};
