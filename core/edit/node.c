// SPDX-License-Identifier: Apache-2.0
// What the tables of a node say.
#include "core/edit/node.h"

#include "core/base/operator.h"
#include "core/model/options.h"

const char* lite_edit_name(const LiteModelOperator* node) {
    return node->custom_name != NULL ? node->custom_name : lite_operator_name(node->builtin_code);
}

const LiteFlatSchema* lite_edit_options(LiteFlatTable op, int id) {
    const LiteFlatUnion* members =
        id == kOperatorBuiltinOptions ? &lite_schema_builtin_options : &lite_schema_builtin_options_2;
    const uint8_t type = lite_flat_u8(op, id - 1);
    return lite_flat_field(op, id) != NULL && type < members->count ? members->members[type] : NULL;
}

static TfLiteStatus visit_field(LiteFlatTable options, const LiteFlatField* field, LiteEditCall call,
                                LiteEditVisit visit, void* argument) {
    if (field->param.kind == kLiteParamSubgraph) {
        call.subgraph = lite_flat_i32(options, call.id, 0);
        return visit(argument, call);
    }
    const LiteFlatVector vector = lite_flat_vector(options, call.id);
    for (uint32_t i = 0; i < vector.count; i++) {
        call.element = (int)i;
        call.subgraph = (int)lite_flat_load_u32(vector.data + 4 * (size_t)i);
        LITE_TRY(visit(argument, call));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_edit_visit_calls(LiteFlatTable node, LiteEditVisit visit, void* argument) {
    static const int unions[] = {kOperatorBuiltinOptions, kOperatorBuiltinOptions2};
    for (int u = 0; u < 2; u++) {
        const LiteFlatSchema* schema = lite_edit_options(node, unions[u]);
        const LiteFlatTable options = lite_flat_child(node, unions[u]);
        for (int id = 0; options.at != NULL && schema != NULL && id < schema->field_count; id++) {
            const LiteFlatField* field = &schema->fields[id];
            if (field->param.kind != kLiteParamSubgraph && field->param.kind != kLiteParamSubgraphs) continue;
            const LiteEditCall call = {.union_id = unions[u], .id = id, .element = -1};
            LITE_TRY(visit_field(options, field, call, visit, argument));
        }
    }
    return kTfLiteOk;
}
