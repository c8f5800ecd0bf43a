// SPDX-License-Identifier: Apache-2.0
// Reads the operators of a subgraph.
#include "core/model/operator.h"

#include "core/base/operator.h"
#include "core/model/options.h"

// Code, name and version.
static TfLiteStatus load_code(LiteLoader* loader, LiteFlatTable code, LiteModelOperator* op) {
    const int value = lite_schema_builtin_code(code);
    if (value < 0 || value >= LITE_SCHEMA_OPERATORS) {
        return lite_load_fail(
            loader, "Op builtin_code out of range: %d. Are you using an old library with a newer model?",
            value);
    }
    op->builtin_code = (TfLiteBuiltinOperator)value;
    op->version = lite_flat_i32(code, kOperatorCodeVersion, 1);
    loader->name = lite_operator_name(value);
    if (op->builtin_code != kTfLiteBuiltinCustom) return kTfLiteOk;
    op->custom_name = lite_flat_string(code, kOperatorCodeCustomCode);
    if (op->custom_name == NULL) return lite_load_fail(loader, "a custom operator without custom_code");
    loader->name = op->custom_name;
    return kTfLiteOk;
}

static TfLiteStatus load_custom_options(LiteLoader* loader, LiteFlatTable table, LiteModelOperator* op) {
    const uint64_t offset = lite_flat_u64(table, kOperatorLargeCustomOptionsOffset);
    const uint64_t size = lite_flat_u64(table, kOperatorLargeCustomOptionsSize);
    if (offset > 1 && size > 0) {
        op->custom_options_size = (size_t)size;
        return lite_load_range(loader, offset, size, &op->custom_options);
    }
    const LiteFlatVector options = lite_flat_vector(table, kOperatorCustomOptions);
    op->custom_options = options.data;
    op->custom_options_size = options.count;
    return kTfLiteOk;
}

// The file may hold flags for fewer inputs than there are. The node does not change the others.
static TfLiteStatus load_mutating_inputs(LiteLoader* loader, LiteFlatTable table, LiteModelOperator* op) {
    const LiteFlatVector flags = lite_flat_vector(table, kOperatorMutatingVariableInputs);
    if (flags.count == 0 || op->inputs.count == 0) return kTfLiteOk;
    int32_t* values = lite_load_alloc(loader, (size_t)op->inputs.count, sizeof(*values));
    if (values == NULL) return kTfLiteError;
    for (int i = 0; i < op->inputs.count && (uint32_t)i < flags.count; i++) values[i] = flags.data[i] != 0;
    op->mutating_inputs = (LiteModelInts){op->inputs.count, values};
    return kTfLiteOk;
}

static TfLiteStatus load_operator(LiteLoader* loader, LiteFlatTable table, int tensor_count,
                                  LiteModelOperator* op) {
    const LiteFlatVector codes = lite_flat_vector(loader->root, kModelOperatorCodes);
    const uint32_t code = lite_flat_u32(table, kOperatorOpcodeIndex);
    loader->name = "";
    if (code >= codes.count) {
        return lite_load_fail(loader, "opcode_index is %u, but the model has %u operator codes", code,
                              codes.count);
    }
    LITE_TRY(load_code(loader, lite_flat_element(codes, code), op));
    op->inputs = lite_load_ints(lite_flat_vector(table, kOperatorInputs));
    op->outputs = lite_load_ints(lite_flat_vector(table, kOperatorOutputs));
    op->intermediates = lite_load_ints(lite_flat_vector(table, kOperatorIntermediates));
    LITE_TRY(lite_load_check_tensors(loader, "node inputs", op->inputs, -1, tensor_count));
    LITE_TRY(lite_load_check_tensors(loader, "node outputs", op->outputs, 0, tensor_count));
    LITE_TRY(lite_load_check_tensors(loader, "node intermediates", op->intermediates, -1, tensor_count));
    LITE_TRY(load_mutating_inputs(loader, table, op));
    LITE_TRY(load_custom_options(loader, table, op));
    return lite_load_params(loader, table, op->builtin_code, &op->builtin_data);
}

// Kernels size their outputs in prepare and trust those sizes in invoke. So a tensor must have one writer,
// and a node must not write what it reads. `reader` and `writer` hold, for each tensor, one more than the
// number of the last node that read or wrote it.
static TfLiteStatus check_aliases(LiteLoader* loader, const LiteModelOperator* op, int index, int* reader,
                                  int* writer) {
    for (int i = 0; i < op->inputs.count; i++) {
        if (op->inputs.data[i] >= 0) reader[op->inputs.data[i]] = index + 1;
    }
    for (int i = 0; i < op->outputs.count; i++) {
        const int tensor = op->outputs.data[i];
        if (reader[tensor] == index + 1) {
            return lite_load_fail(loader, "tensor %d is an input and an output of it", tensor);
        }
        if (writer[tensor] != 0) {
            return lite_load_fail(loader, "tensor %d is already an output of operator %d", tensor,
                                  writer[tensor] - 1);
        }
        writer[tensor] = index + 1;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_load_operators(LiteLoader* loader, LiteFlatTable subgraph, LiteModelSubgraph* result) {
    const LiteFlatVector operators = lite_flat_vector(subgraph, kSubGraphOperators);
    LiteModelOperator* array = lite_load_alloc(loader, operators.count, sizeof(*array));
    if (array == NULL) return kTfLiteError;
    result->operators = array;
    result->operator_count = (int)operators.count;
    int* seen = lite_calloc((size_t)result->tensor_count + 1, 2 * sizeof(*seen));
    if (seen == NULL) return lite_load_fail(loader, "out of memory");
    TfLiteStatus status = kTfLiteOk;
    for (uint32_t i = 0; i < operators.count && status == kTfLiteOk; i++) {
        loader->kind = "operator";
        loader->index = (int)i;
        status = load_operator(loader, lite_flat_element(operators, i), result->tensor_count, &array[i]);
        if (status != kTfLiteOk) break;
        status = check_aliases(loader, &array[i], (int)i, seen, seen + result->tensor_count);
    }
    lite_free(seen);
    return status;
}
