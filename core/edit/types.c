// SPDX-License-Identifier: Apache-2.0
#include "core/edit/types.h"

#include "core/base/output_type.h"

static bool is_input(const LiteModelSubgraph* source, int tensor) {
    for (int i = 0; i < source->inputs.count; i++) {
        if (source->inputs.data[i] == tensor) return true;
    }
    return false;
}

static void give_types(const LiteModelSubgraph* source, const LiteModelOperator* op, TfLiteType* types) {
    for (int i = 0; i < op->outputs.count; i++) {
        const LiteOutputType from = lite_output_type(op->builtin_code, op->custom_name, i);
        if (from.source == kLiteTypeDeclared) return; // so are all outputs
        const int output = op->outputs.data[i];
        const int input =
            from.source >= 0 && from.source < op->inputs.count ? op->inputs.data[from.source] : -1;
        const TfLiteType type =
            lite_output_type_given(from, input >= 0 ? types[input] : kTfLiteNoType, op->builtin_data);
        if (output < 0 || type == kTfLiteNoType || type == types[output]) continue;
        if (!source->tensors[output].is_variable && !is_input(source, output)) types[output] = type;
    }
}

const TfLiteType* lite_edit_plan_types(LiteEditPlan* plan, const LiteModelSubgraph* source) {
    TfLiteType* types = lite_edit_plan_alloc(plan, (size_t)source->tensor_count, sizeof(*types));
    if (types == NULL) return NULL;
    for (int t = 0; t < source->tensor_count; t++) types[t] = source->tensors[t].type;
    for (int n = 0; n < source->operator_count; n++) give_types(source, &source->operators[n], types);
    return types;
}
