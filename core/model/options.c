// SPDX-License-Identifier: Apache-2.0
// From a table of options in the file to the parameters of an operator.
#include "core/model/options.h"

#include "core/base/operator.h"

const LiteFlatSchema* lite_options_of(int builtin_code, bool* in_second) {
    if (builtin_code < 0 || builtin_code >= LITE_SCHEMA_OPERATORS) return NULL;
    *in_second = lite_schema_operator_options_2[builtin_code] != NULL;
    return *in_second ? lite_schema_operator_options_2[builtin_code]
                      : lite_schema_operator_options[builtin_code];
}

size_t lite_options_params_size(int builtin_code) {
    bool in_second;
    const LiteFlatSchema* schema = lite_options_of(builtin_code, &in_second);
    return schema == NULL ? 0 : schema->params_size;
}

TfLiteType lite_options_tensor_type(int tensor_type) {
    static const uint8_t types[] = {
        kTfLiteFloat32, kTfLiteFloat16,      kTfLiteInt32,      kTfLiteUInt8,     kTfLiteInt64,
        kTfLiteString,  kTfLiteBool,         kTfLiteInt16,      kTfLiteComplex64, kTfLiteInt8,
        kTfLiteFloat64, kTfLiteComplex128,   kTfLiteUInt64,     kTfLiteResource,  kTfLiteVariant,
        kTfLiteUInt32,  kTfLiteUInt16,       kTfLiteInt4,       kTfLiteBFloat16,  kTfLiteInt2,
        kTfLiteUInt4,   kTfLiteFloat8E4M3FN, kTfLiteFloat8E5M2,
    };
    const bool known = tensor_type >= 0 && tensor_type < (int)(sizeof(types) / sizeof(types[0]));
    return known ? (TfLiteType)types[tensor_type] : kTfLiteNoType;
}

// The options table of one operator on its way into params.
typedef struct Options {
    const LiteLoader* loader;
    const LiteFlatSchema* schema;
    LiteFlatTable table;
    uint8_t* params;
} Options;

static TfLiteStatus fail_value(const Options* options, const LiteFlatField* field, int64_t value) {
    return lite_load_fail(options->loader, "%s.%s is %lld, which is not known", options->schema->name,
                          field->name, (long long)value);
}

static TfLiteStatus check_subgraph(const Options* options, const LiteFlatField* field, int32_t index) {
    const int count = options->loader->subgraph_count;
    if (index >= 0 && index < count) {
        options->loader->subgraphs[index].is_called = true;
        return kTfLiteOk;
    }
    return lite_load_fail(options->loader, "%s.%s is %d, but the model has %d subgraphs",
                          options->schema->name, field->name, index, count);
}

// The low param.size bytes of `value` become the member.
static void store(const Options* options, const LiteParam* param, int64_t value) {
    memcpy(options->params + param->offset, &value, param->size);
}

static TfLiteStatus read_scalar(const Options* options, int id) {
    const LiteFlatField* field = &options->schema->fields[id];
    const LiteParam* param = &field->param;
    const uint64_t fallback = param->kind == kLiteParamEnum ? 0 : (uint64_t)param->preset;
    const uint64_t bits = lite_flat_bits(options->table, id, field->width, fallback);
    const unsigned unused = 64 - 8 * (unsigned)field->width;
    const int64_t value = (int64_t)(bits << unused) >> unused;
    switch (param->kind) {
    case kLiteParamBool:
        store(options, param, value != 0);
        return kTfLiteOk;
    case kLiteParamEnum:
        if (value < 0 || value > param->limit) {
            if (!param->open) return fail_value(options, field, value);
            return kTfLiteOk; // members are 0
        }
        store(options, param, value + param->preset);
        return kTfLiteOk;
    case kLiteParamType: {
        const TfLiteType type = lite_options_tensor_type((int)value);
        if (type == kTfLiteNoType) return fail_value(options, field, value);
        store(options, param, type);
        return kTfLiteOk;
    }
    case kLiteParamSubgraph:
        store(options, param, value);
        return check_subgraph(options, field, (int32_t)value);
    default: // integers and floats
        store(options, param, value);
        return kTfLiteOk;
    }
}

// An array inside the params; what the file leaves open stays 0, or `preset` for arrays without a length.
static TfLiteStatus read_array(const Options* options, int id, LiteFlatVector vector) {
    const LiteFlatField* field = &options->schema->fields[id];
    const LiteParam* param = &field->param;
    const uint32_t capacity = param->size / field->width;
    if (vector.count > capacity) {
        return lite_load_fail(options->loader, "%s.%s has %u elements, at most %u can be used",
                              options->schema->name, field->name, vector.count, capacity);
    }
    uint8_t* array = options->params + param->offset;
    if (param->kind == kLiteParamLongs && vector.count == 0 && !param->required) {
        const int64_t value = param->preset;
        for (uint32_t i = 0; i < capacity; i++) memcpy(array + 8 * (size_t)i, &value, 8);
    } else if (param->kind == kLiteParamLongs && param->limit > 0) {
        const uint32_t expected = (uint32_t)param->limit * lite_flat_vector(options->table, 0).count;
        if (vector.count != expected) {
            return lite_load_fail(options->loader, "%s.%s has %u elements, expected %u",
                                  options->schema->name, field->name, vector.count, expected);
        }
    }
    if (vector.count > 0) memcpy(array, vector.data, (size_t)vector.count * field->width);
    for (uint32_t i = 0; param->kind == kLiteParamSubgraphs && i < vector.count; i++) {
        LITE_TRY(check_subgraph(options, field, (int32_t)lite_flat_load_u32(vector.data + 4 * (size_t)i)));
    }
    return kTfLiteOk;
}

static TfLiteStatus read_vector(const Options* options, int id) {
    const LiteFlatField* field = &options->schema->fields[id];
    const LiteParam* param = &field->param;
    const LiteFlatVector vector = lite_flat_vector(options->table, id);
    if (vector.data == NULL && param->required) {
        return lite_load_fail(options->loader, "%s.%s is missing", options->schema->name, field->name);
    }
    if (param->count_size != 0) {
        const uint64_t count = vector.count;
        memcpy(options->params + param->count_offset, &count, param->count_size);
    }
    switch (param->kind) {
    case kLiteParamText:
    case kLiteParamFloatPointer:
    case kLiteParamBytePointer:
        memcpy(options->params + param->offset, &vector.data, sizeof(vector.data));
        return kTfLiteOk;
    default:
        return read_array(options, id, vector);
    }
}

// The operator's options, absent when the file has none or those of another operator.
static LiteFlatTable find_options(LiteFlatTable op, const LiteFlatSchema* schema, bool in_second) {
    const LiteFlatUnion* members = in_second ? &lite_schema_builtin_options_2 : &lite_schema_builtin_options;
    const int type_id = in_second ? kOperatorBuiltinOptions2Type : kOperatorBuiltinOptionsType;
    const int type = lite_flat_u8(op, type_id);
    if (type >= members->count || members->members[type] != schema) return (LiteFlatTable){NULL};
    return lite_flat_child(op, type_id + 1);
}

TfLiteStatus lite_load_params(LiteLoader* loader, LiteFlatTable op, int builtin_code, const void** params) {
    bool in_second;
    const LiteFlatSchema* schema = lite_options_of(builtin_code, &in_second);
    *params = NULL;
    if (schema == NULL) return kTfLiteOk;
    Options options = {.loader = loader, .schema = schema, .table = find_options(op, schema, in_second)};
    options.params = lite_load_alloc(loader, 1, schema->params_size);
    if (options.params == NULL) return kTfLiteError;
    *params = options.params;
    for (int id = 0; id < schema->field_count; id++) {
        const LiteFlatField* field = &schema->fields[id];
        if (field->param.kind == kLiteParamNone) continue;
        if (options.table.at == NULL) {
            // Without options all parameters are 0. (Absent fields of an options table have the presets
            // instead.)
            if (!field->param.required) continue;
            return lite_load_fail(loader, "its %s are missing", schema->name);
        }
        LITE_TRY(field->kind == kLiteFlatScalar ? read_scalar(&options, id) : read_vector(&options, id));
    }
    return kTfLiteOk;
}

// How many subgraphs the parameter names, and where.
static int find_calls(const LiteParam* param, const uint8_t* params, const uint8_t** calls) {
    *calls = params + param->offset;
    if (param->kind == kLiteParamSubgraph) return 1;
    if (param->kind != kLiteParamSubgraphs) return 0;
    uint32_t count;
    memcpy(&count, params + param->count_offset, sizeof count);
    return (int)count;
}

int lite_options_callee(const LiteModelOperator* op, int call) {
    bool in_second;
    const LiteFlatSchema* schema = lite_options_of((int)op->builtin_code, &in_second);
    if (schema == NULL || op->builtin_data == NULL) return -1;
    for (int id = 0; id < schema->field_count; id++) {
        const uint8_t* calls;
        const int count = find_calls(&schema->fields[id].param, op->builtin_data, &calls);
        if (call < count) return (int)lite_flat_load_u32(calls + sizeof(int32_t) * (size_t)call);
        call -= count;
    }
    return -1;
}
