// SPDX-License-Identifier: Apache-2.0
// The tree of a file is changed where an operator's kernel, not the loader, has to notice: constants are
// written anew in the size that a changed type or shape needs.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/shape.h"
#include "core/model/options.h"
#include "core/model/schema.h"
#include "tests/fuzz/structure.h"

enum { kMaxChanges = 3, kMaxRank = 9, kMaxBytes = 1 << 16, kTensorTypes = 20, kBuiltinCodes = 210 };

typedef struct Operator {
    uint64_t* state;
    LiteArena arena; // new vectors
    LiteTreeTable* model;
    LiteTreeTable* subgraph;
    LiteTreeTable* op;
} Operator;

static size_t below(Operator* o, size_t bound) {
    return fuzz_below(o->state, bound);
}

static uint64_t number(Operator* o) {
    return below(o, 2) == 0 ? (uint64_t)((int64_t)below(o, 12) - 3) : fuzz_number(o->state);
}

// `count` elements, zeros where `old` has none; NULL without memory, which leaves the field as it was.
static uint8_t* put_vector(Operator* o, LiteTreeTable* table, int id, size_t count, size_t width) {
    const LiteTreeVector old = lite_tree_get_vector(table, id);
    uint8_t* data = lite_arena_alloc(&o->arena, count + 1, width);
    if (data == NULL) return NULL;
    const size_t kept = old.count < count ? old.count : count;
    memset(data, 0, (count + 1) * width);
    if (kept > 0) memcpy(data, old.data, kept * width);
    lite_tree_vector(table, id, data, count, width, width == 1 ? 16 : width);
    return data;
}

static void put_number(Operator* o, uint8_t* at, size_t width) {
    const uint64_t value = number(o);
    memcpy(at, &value, width);
}

// Tensors
// ---------------------------------------------------------------------------------------------------------

// A vector of the operator's, mostly its inputs.
static int draw_list(Operator* o) {
    static const int lists[] = {kOperatorInputs, kOperatorInputs, kOperatorInputs, kOperatorOutputs,
                                kOperatorIntermediates};
    const int id = lists[below(o, sizeof(lists) / sizeof(*lists))];
    return lite_tree_get_vector(o->op, id).count > 0 ? id : kOperatorInputs;
}

static LiteTreeTable* tensor_at(const Operator* o, int list, size_t index) {
    int32_t tensor;
    memcpy(&tensor, (const uint8_t*)lite_tree_get_vector(o->op, list).data + 4 * index, sizeof(tensor));
    const int count = lite_tree_count(o->subgraph, kSubGraphTensors);
    return tensor < 0 || tensor >= count ? NULL : lite_tree_at(o->subgraph, kSubGraphTensors, tensor);
}

static LiteTreeTable* draw_tensor(Operator* o) {
    const int list = draw_list(o);
    const size_t count = lite_tree_get_vector(o->op, list).count;
    return count == 0 ? NULL : tensor_at(o, list, below(o, count));
}

static TfLiteType type_of(const LiteTreeTable* tensor) {
    return lite_options_tensor_type((int)lite_tree_get_scalar(tensor, kTensorType, 0));
}

// false when it is too large to be written, or has no fixed size.
static bool tensor_bytes(const LiteTreeTable* tensor, size_t* bytes) {
    const LiteTreeVector shape = lite_tree_get_vector(tensor, kTensorShape);
    int64_t count;
    return lite_shape_count(shape.data, (int)shape.count, &count) &&
           lite_tensor_bytes(type_of(tensor), count, bytes) && *bytes <= kMaxBytes;
}

// What the tensor has in the file.
static LiteTreeVector contents_of(const Operator* o, const LiteTreeTable* tensor) {
    const uint64_t index = lite_tree_get_scalar(tensor, kTensorBuffer, 0);
    if (index >= (uint64_t)lite_tree_count(o->model, kModelBuffers)) return (LiteTreeVector){NULL, 0};
    return lite_tree_get_vector(lite_tree_at(o->model, kModelBuffers, (int)index), kBufferData);
}

// Contents of the tensor's own: what `old` holds, over and over.
static uint8_t* put_contents(Operator* o, LiteTreeTable* tensor, LiteTreeVector old, size_t bytes) {
    uint8_t* data = lite_arena_alloc(&o->arena, bytes + 1, 1);
    if (data == NULL) return NULL;
    for (size_t i = 0; i < bytes; i++)
        data[i] = old.count > 0 ? ((const uint8_t*)old.data)[i % old.count] : 0;
    lite_tree_scalar(tensor, kTensorBuffer, 4, (uint64_t)lite_tree_count(o->model, kModelBuffers));
    lite_tree_vector(lite_tree_append(o->model, kModelBuffers), kBufferData, data, bytes, 1, 16);
    return data;
}

// After a change of type or shape: a constant gets as many bytes as it needs now, or becomes none.
static void refit(Operator* o, LiteTreeTable* tensor) {
    const LiteTreeVector old = contents_of(o, tensor);
    size_t bytes;
    if (old.count == 0 || below(o, 16) == 0) return;
    if (!tensor_bytes(tensor, &bytes) || put_contents(o, tensor, old, bytes) == NULL) {
        lite_tree_scalar(tensor, kTensorBuffer, 4, 0);
    }
}

static void change_shape(Operator* o, LiteTreeTable* tensor) {
    const size_t rank = lite_tree_get_vector(tensor, kTensorShape).count;
    const size_t kind = below(o, 8);
    const size_t changed = kind == 0 ? below(o, kMaxRank + 1) : kind == 1 ? rank + 1 : rank;
    uint8_t* dims = put_vector(o, tensor, kTensorShape, changed, 4);
    if (dims == NULL) return;
    lite_tree_remove(tensor, kTensorShapeSignature);
    for (size_t i = rank; i < changed; i++) dims[4 * i] = (uint8_t)below(o, 4);
    if (changed > 0) {
        const int32_t length = (int32_t)number(o); // a negative one is for the loader to refuse
        const int32_t drawn = length < 0 && below(o, 16) > 0 ? (int32_t)below(o, 40) : length;
        memcpy(dims + 4 * below(o, changed), &drawn, sizeof(drawn));
        // An empty tensor of any length takes no memory.
        if (below(o, 6) == 0) memset(dims + 4 * below(o, changed), 0, sizeof(drawn));
    }
    refit(o, tensor);
}

static void change_type(Operator* o, LiteTreeTable* tensor) {
    lite_tree_scalar(tensor, kTensorType, 1, below(o, kTensorTypes));
    refit(o, tensor);
}

// Numbers that make no sense, in a constant or in what becomes one.
static void change_contents(Operator* o, LiteTreeTable* tensor) {
    size_t bytes, width = lite_type_size(type_of(tensor));
    if (!tensor_bytes(tensor, &bytes) || bytes == 0) return;
    uint8_t* data = put_contents(o, tensor, contents_of(o, tensor), bytes);
    if (data == NULL) return;
    if (width == 0 || width > 8) width = 1;
    if (below(o, 8) == 0) {
        for (size_t i = 0; i + width <= bytes; i += width) put_number(o, data + i, width);
    }
    for (size_t left = 1 + below(o, 3); left > 0; left--) {
        put_number(o, data + below(o, bytes / width) * width, width);
    }
}

// What was a constant comes in invoke.
static void change_source(Operator* o, LiteTreeTable* tensor) {
    lite_tree_scalar(tensor, kTensorBuffer, 4, 0);
    const int count = lite_tree_count(o->subgraph, kSubGraphTensors);
    for (int i = 0; i < count; i++) {
        if (lite_tree_at(o->subgraph, kSubGraphTensors, i) != tensor) continue;
        const size_t inputs = lite_tree_get_vector(o->subgraph, kSubGraphInputs).count;
        uint8_t* data = put_vector(o, o->subgraph, kSubGraphInputs, inputs + 1, 4);
        if (data != NULL) memcpy(data + 4 * inputs, &i, 4);
    }
}

static void put_scales(Operator* o, LiteTreeTable* quantization, size_t count) {
    static const float scales[] = {0,   1e-40f, 1e-20f, 1e-9f,   1e-3f,  0.0625f,  0.5f,
                                   1.f, 77.f,   1e9f,   3.4e38f, -0.25f, INFINITY, NAN};
    uint8_t* data = put_vector(o, quantization, kQuantizationScale, count, 4);
    if (data == NULL) return;
    // The loader refuses the last three.
    const size_t known = sizeof(scales) / sizeof(*scales) - (below(o, 32) > 0 ? 3 : 0);
    for (size_t i = 0; i < count; i++) memcpy(data + 4 * i, &scales[below(o, known)], 4);
}

static void change_quantization(Operator* o, LiteTreeTable* tensor) {
    const size_t kind = below(o, 8);
    if (kind == 0) {
        lite_tree_remove(tensor, kTensorQuantization);
        return;
    }
    const bool absent = lite_tree_count(tensor, kTensorQuantization) == 0;
    LiteTreeTable* q =
        absent ? lite_tree_child(tensor, kTensorQuantization) : lite_tree_at(tensor, kTensorQuantization, 0);
    const size_t old = lite_tree_get_vector(q, kQuantizationScale).count;
    const size_t count = below(o, 2) == 0 ? old : below(o, 6);
    if (absent || kind < 3) put_scales(o, q, count);
    if (absent || kind == 3 || kind == 4) {
        uint8_t* data = put_vector(o, q, kQuantizationZeroPoint, below(o, 8) == 0 ? below(o, 6) : count, 8);
        for (size_t i = 0; data != NULL && i < lite_tree_get_vector(q, kQuantizationZeroPoint).count; i++) {
            const int64_t zero = below(o, 2) == 0 ? (int64_t)below(o, 600) - 300 : (int64_t)number(o);
            memcpy(data + 8 * i, &zero, 8);
        }
    }
    if (kind == 5) lite_tree_scalar(q, kQuantizationQuantizedDimension, 4, number(o));
    if (kind == 6) {
        lite_tree_scalar(q, kQuantizationDetailsType, 1, kDetailsBlockwise + below(o, 2));
        LiteTreeTable* details = lite_tree_child(q, kQuantizationDetails);
        lite_tree_scalar(details, kBlockwiseScales, 4, below(o, 6));
        if (below(o, 2) == 0) lite_tree_scalar(details, kBlockwiseZeroPoints, 4, below(o, 6));
        lite_tree_scalar(details, kBlockwiseBlockSize, 4, number(o));
    }
    if (kind == 7) lite_tree_remove(q, below(o, 2) == 0 ? kQuantizationScale : kQuantizationZeroPoint);
}

static void change_tensor(Operator* o) {
    LiteTreeTable* tensor = draw_tensor(o);
    if (tensor == NULL) return;
    switch (below(o, 16)) {
    case 0:
        change_source(o, tensor);
        return;
    case 1:
        lite_tree_scalar(tensor, kTensorIsVariable, 1,
                         lite_tree_get_scalar(tensor, kTensorIsVariable, 0) ^ 1);
        return;
    case 2:
        lite_tree_remove(tensor, kTensorSparsity);
        return;
    case 3:
    case 4:
    case 5:
        change_type(o, tensor);
        return;
    case 6:
    case 7:
    case 8:
        change_quantization(o, tensor);
        return;
    case 9:
    case 10:
    case 11:
    case 12:
        change_shape(o, tensor);
        return;
    default:
        change_contents(o, tensor);
    }
}

// The operator
// ----------------------------------------------------------------------------------------------------

static void change_list(Operator* o) {
    const int list = draw_list(o);
    const size_t count = lite_tree_get_vector(o->op, list).count, kind = below(o, 6);
    const int32_t tensors = lite_tree_count(o->subgraph, kSubGraphTensors);
    const size_t changed = kind == 0 ? below(o, count + 1) : kind == 1 ? count + 1 : count;
    uint8_t* data = put_vector(o, o->op, list, changed, 4);
    if (data == NULL || changed == 0 || kind == 0 || tensors == 0) return;
    const size_t at = kind == 1 ? count : below(o, changed), other = below(o, changed);
    int32_t tensor = kind < 4 ? -1 : (int32_t)below(o, (size_t)tensors);
    if (kind == 1) tensor = (int32_t)below(o, (size_t)tensors);
    if (kind == 5) memcpy(&tensor, data + 4 * other, 4);
    memcpy(data + 4 * other, data + 4 * at, kind == 5 ? 4 : 0);
    memcpy(data + 4 * at, &tensor, 4);
}

static void change_field(Operator* o, LiteTreeTable* options, const LiteFlatField* field, int id) {
    if (field->kind == kLiteFlatScalar) {
        lite_tree_scalar(options, id, field->width, number(o));
    } else if (field->kind == kLiteFlatVector) {
        const size_t old = lite_tree_get_vector(options, id).count;
        const size_t count = old == 0 || below(o, 3) == 0 ? below(o, 10) : old;
        uint8_t* data = put_vector(o, options, id, count, field->width);
        if (data != NULL && count > 0) put_number(o, data + below(o, count) * field->width, field->width);
    } else if (below(o, 4) == 0) {
        lite_tree_remove(options, id);
    }
}

static void change_custom(Operator* o) {
    const size_t count = lite_tree_get_vector(o->op, kOperatorCustomOptions).count;
    if (count == 0) return;
    uint8_t* data =
        put_vector(o, o->op, kOperatorCustomOptions, below(o, 8) == 0 ? below(o, count) : count, 1);
    const size_t left = lite_tree_get_vector(o->op, kOperatorCustomOptions).count;
    for (size_t changes = 1 + below(o, 3); data != NULL && left > 0 && changes > 0; changes--) {
        data[below(o, left)] = (uint8_t)number(o);
    }
}

static void change_options(Operator* o) {
    const bool second = lite_tree_count(o->op, kOperatorBuiltinOptions2) > 0;
    const int id = second ? kOperatorBuiltinOptions2 : kOperatorBuiltinOptions;
    const LiteFlatUnion* known = second ? &lite_schema_builtin_options_2 : &lite_schema_builtin_options;
    const uint64_t type = lite_tree_get_scalar(o->op, id - 1, 0);
    const LiteFlatSchema* schema = type < (uint64_t)known->count ? known->members[type] : NULL;
    if (lite_tree_count(o->op, id) == 0 || schema == NULL) {
        change_custom(o);
    } else if (below(o, 16) == 0) {
        lite_tree_remove(o->op, id);
        lite_tree_remove(o->op, id - 1);
    } else if (schema->field_count > 0) {
        const int field = (int)below(o, (size_t)schema->field_count);
        change_field(o, lite_tree_at(o->op, id, 0), &schema->fields[field], field);
    }
}

// Another version, or another operator.
static void change_code(Operator* o) {
    const uint64_t index = lite_tree_get_scalar(o->op, kOperatorOpcodeIndex, 0);
    if (index >= (uint64_t)lite_tree_count(o->model, kModelOperatorCodes)) return;
    LiteTreeTable* code = lite_tree_at(o->model, kModelOperatorCodes, (int)index);
    if (below(o, 2) == 0) {
        lite_tree_scalar(code, kOperatorCodeVersion, 4, below(o, 12));
    } else {
        lite_tree_scalar(code, kOperatorCodeBuiltinCode, 4, below(o, kBuiltinCodes));
        lite_tree_remove(code, kOperatorCodeDeprecatedBuiltinCode);
        if (below(o, 2) == 0) lite_tree_remove(o->op, kOperatorBuiltinOptions);
    }
}

static void change_operator(Operator* o) {
    const size_t kind = below(o, 16);
    if (kind == 0) {
        change_code(o);
    } else if (kind < 3) {
        change_list(o);
    } else if (kind < 8) {
        change_options(o);
    } else {
        change_tensor(o);
    }
}

uint8_t* fuzz_mutate_operator(uint64_t* state, const uint8_t* data, size_t size, size_t* mutated_size) {
    LiteTree* tree = fuzz_copy_tree(data, size);
    if (tree == NULL) return NULL;
    Operator o = {.state = state, .model = lite_tree_root(tree)};
    const int subgraphs = lite_tree_count(o.model, kModelSubgraphs);
    if (subgraphs > 0) {
        o.subgraph = lite_tree_at(o.model, kModelSubgraphs, (int)below(&o, (size_t)subgraphs));
        const int operators = lite_tree_count(o.subgraph, kSubGraphOperators);
        if (operators > 0) {
            o.op = lite_tree_at(o.subgraph, kSubGraphOperators, (int)below(&o, (size_t)operators));
            for (size_t left = 1 + below(&o, kMaxChanges); left > 0; left--) change_operator(&o);
        }
    }
    uint8_t* mutated = flat_finish(tree, LITE_SCHEMA_IDENTIFIER, mutated_size);
    lite_arena_free(&o.arena);
    return mutated;
}
