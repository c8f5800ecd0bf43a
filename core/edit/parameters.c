// SPDX-License-Identifier: Apache-2.0
// Parameters of nodes as the format names them.
#include <string.h>

#include "core/base/text.h"
#include "core/edit/edit.h"
#include "core/edit/error.h"
#include "core/edit/node.h"
#include "core/model/options.h"

typedef struct Enum {
    const char* field;
    const char* table; // NULL: any
    int count;
    const char* const* names;
} Enum;

#define ENUM(field, table, ...)                                                                              \
    {                                                                                                        \
        (field), (table), (int)(sizeof((const char*[]){__VA_ARGS__}) / sizeof(char*)),                       \
            (const char* const[]) {                                                                          \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static const Enum enums[] = {
    ENUM("padding", NULL, "SAME", "VALID"),
    ENUM("fused_activation_function", NULL, "NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"),
    ENUM("weights_format", NULL, "DEFAULT", "SHUFFLED4x16INT8"),
    ENUM("kernel_type", NULL, "FULL", "BASIC"),
    ENUM("combiner", NULL, "SUM", "MEAN", "SQRTN"),
    ENUM("mode", "MirrorPadOptions", "REFLECT", "SYMMETRIC"),
    ENUM("type", "LSHProjectionOptions", "UNKNOWN", "SPARSE", "DENSE"),
    ENUM("algorithm", NULL, "DEFAULT", "PHILOX", "THREEFRY"),
    ENUM("reduce_function", NULL, "UNSUPPORTED", "ADD", "MUL", "MINIMUM", "MAXIMUM", "ALL", "ANY"),
    ENUM("comparison_direction", NULL, "EQ", "NE", "GE", "GT", "LE", "LT"),
    ENUM("compare_type", NULL, "NOTYPE", "FLOAT", "FLOAT_TOTAL_ORDER", "SIGNED", "UNSIGNED"),
    ENUM("composite_attributes_format", NULL, "FLEXBUFFERS"),
};

static const char* const types[] = {
    "FLOAT32",   "FLOAT16", "INT32",    "UINT8",      "INT64",  "STRING",        "BOOL",        "INT16",
    "COMPLEX64", "INT8",    "FLOAT64",  "COMPLEX128", "UINT64", "RESOURCE",      "VARIANT",     "UINT32",
    "UINT16",    "INT4",    "BFLOAT16", "INT2",       "UINT4",  "FLOAT8_E4M3FN", "FLOAT8_E5M2",
};

// NULL: the value has no name.
static const char* name_of(const LiteFlatSchema* schema, const LiteFlatField* field, int64_t value) {
    const int type_count = (int)(sizeof(types) / sizeof(types[0]));
    if (field->param.kind == kLiteParamType) return value >= 0 && value < type_count ? types[value] : NULL;
    for (size_t i = 0; i < sizeof(enums) / sizeof(enums[0]); i++) {
        const Enum* e = &enums[i];
        if (strcmp(e->field, field->name) != 0 || field->kind != kLiteFlatScalar) continue;
        if (e->table != NULL && strcmp(e->table, schema->name) != 0) continue;
        return value >= 0 && value < e->count ? e->names[value] : NULL;
    }
    return NULL;
}

static int64_t extend(uint64_t bits, int width) {
    const unsigned unused = 64 - 8 * (unsigned)width;
    return (int64_t)(bits << unused) >> unused;
}

static void add_scalar(LiteText* text, LiteFlatTable options, const LiteFlatSchema* schema, int id) {
    const LiteFlatField* field = &schema->fields[id];
    const LiteParam* param = &field->param;
    const uint64_t preset = param->kind == kLiteParamEnum ? 0 : (uint64_t)param->preset;
    const uint64_t bits = lite_flat_bits(options, id, field->width, preset);
    const int64_t value = extend(bits, field->width);
    const char* name = name_of(schema, field, value);
    if (param->kind == kLiteParamFloat) {
        const uint32_t low = (uint32_t)bits;
        float number;
        memcpy(&number, &low, sizeof(number));
        lite_text_add_number(text, (double)number, true);
    } else if (param->kind == kLiteParamBool) {
        lite_text_add(text, value != 0 ? "true" : "false");
    } else if (name != NULL) {
        lite_text_add(text, "%s", name);
    } else {
        lite_text_add(text, "%lld", (long long)value);
    }
}

static void add_vector(LiteText* text, LiteFlatTable options, const LiteFlatField* field, int id) {
    const LiteFlatVector vector = lite_flat_vector(options, id);
    OcliteFlex root;
    if (field->param.kind == kLiteParamBytePointer && vector.count > 0 &&
        oclite_flex_root(vector.data, vector.count, &root)) {
        lite_text_add_flex(text, root);
        return;
    }
    lite_text_add(text, "[");
    for (uint32_t i = 0; i < vector.count && !text->failed; i++) {
        uint64_t bits = 0;
        float number;
        memcpy(&bits, vector.data + (size_t)i * field->width, field->width);
        if (i > 0) lite_text_add(text, ", ");
        if (field->param.kind == kLiteParamFloatPointer) {
            memcpy(&number, vector.data + 4 * (size_t)i, sizeof(number));
            lite_text_add_number(text, (double)number, true);
        } else {
            lite_text_add(text, "%lld", (long long)extend(bits, field->width));
        }
    }
    lite_text_add(text, "]");
}

typedef struct Telling {
    void (*callback)(void* user_data, const char* name, const char* value);
    void* user_data;
    LiteText text;
} Telling;

// Passes the text on, and begins it anew.
static void tell(Telling* telling, const char* name) {
    if (telling->text.failed) return;
    telling->callback(telling->user_data, name, telling->text.data == NULL ? "" : telling->text.data);
    lite_text_clear(&telling->text);
}

static void tell_options(Telling* telling, LiteFlatTable op, int union_id) {
    const LiteFlatSchema* schema = lite_edit_options(op, union_id);
    const LiteFlatTable options = lite_flat_child(op, union_id);
    for (int id = 0; schema != NULL && id < schema->field_count; id++) {
        const LiteFlatField* field = &schema->fields[id];
        if (field->kind == kLiteFlatScalar) {
            add_scalar(&telling->text, options, schema, id);
        } else if (field->kind == kLiteFlatString) {
            const char* string = lite_flat_string(options, id);
            lite_text_add(&telling->text, "%s", string == NULL ? "" : string);
        } else if (field->kind == kLiteFlatVector) {
            add_vector(&telling->text, options, field, id);
        } else {
            continue;
        }
        tell(telling, field->name);
    }
}

static void tell_custom(Telling* telling, const LiteModelOperator* op) {
    OcliteFlex root, value;
    size_t count = 0;
    const char* key;
    const char* string;
    if (op->custom_options_size == 0) return;
    const bool is_map = oclite_flex_root(op->custom_options, op->custom_options_size, &root) &&
                        oclite_flex_kind(root) == kOcliteFlexMap && oclite_flex_vector_size(root, &count);
    for (size_t i = 0; is_map && i < count; i++) {
        if (!oclite_flex_map_key(root, i, &key) || !oclite_flex_vector_at(root, i, &value)) break;
        if (oclite_flex_kind(value) == kOcliteFlexString && oclite_flex_string(value, &string, NULL))
            lite_text_add(&telling->text, "%s", string);
        else
            lite_text_add_flex(&telling->text, value);
        tell(telling, key);
    }
    if (is_map) return;
    lite_text_add(&telling->text, "%zu bytes", op->custom_options_size);
    tell(telling, "custom_options");
}

TfLiteStatus oclite_edit_parameters(const OcliteEdit* edit, int subgraph, int node,
                                    void (*callback)(void* user_data, const char* name, const char* value),
                                    void* user_data) {
    lite_edit_begin();
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    if (from == NULL) return kTfLiteError;
    if (callback == NULL) return lite_edit_fail("callback is NULL");
    if (node < 0 || node >= from->operator_count) {
        return lite_edit_fail("there is no node %d: the subgraph has %d", node, from->operator_count);
    }
    size_t size;
    const LiteEditPlan place = {.source = edit->model, .root = lite_flat_root(oclite_edit_data(edit, &size))};
    const LiteFlatTable op = lite_edit_plan_node_table(&place, subgraph, node);
    Telling telling = {.callback = callback, .user_data = user_data};
    tell_options(&telling, op, kOperatorBuiltinOptions);
    tell_options(&telling, op, kOperatorBuiltinOptions2);
    tell_custom(&telling, &from->operators[node]);
    const bool failed = telling.text.failed;
    lite_text_free(&telling.text);
    return failed ? lite_edit_fail("out of memory") : kTfLiteOk;
}
