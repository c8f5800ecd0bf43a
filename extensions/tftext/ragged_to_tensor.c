// SPDX-License-Identifier: Apache-2.0
// RaggedTensorToTensor, which turns rows of different lengths into those of a tensor: longer ones are cut
// off, shorter ones are filled up.
//
// A ragged tensor is a list of values in nested rows. Its partitions describe the rows from the outermost
// level on: by the places where rows begin (ROW_SPLITS), or by the number of the row of each element
// (VALUE_ROWIDS); then the number of the outermost rows comes first (FIRST_DIM_SIZE).
#include <stdlib.h>
#include <string.h>

#include "extensions/tftext/text.h"
#include "oclite/flexbuffers.h"

static const char op[] = "RaggedTensorToTensor";

enum { kShape, kValues, kDefault, kFirstPartition };

typedef enum Kind { kFirstDimSize, kValueRowIds, kRowSplits, kUnknown } Kind;

typedef struct Options {
    size_t count; // of partitions
    Kind kinds[];
} Options;

static Kind read_kind(OcliteFlex types, size_t index) {
    static const char* const names[] = {"FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"};
    OcliteFlex type;
    const char* name;
    size_t length;
    if (!oclite_flex_vector_at(types, index, &type) || !oclite_flex_string(type, &name, &length)) {
        return kUnknown;
    }
    for (int kind = kFirstDimSize; kind < kUnknown; kind++) {
        if (strcmp(name, names[kind]) == 0) return (Kind)kind;
    }
    return kUnknown;
}

static void* init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    OcliteFlex map, types;
    size_t count = 0;
    // Without types there are 0 partitions, which prepare refuses.
    if (oclite_flex_root(buffer, length, &map) && oclite_flex_map_find(map, "row_partition_types", &types)) {
        oclite_flex_vector_size(types, &count);
    }
    if (count > INT32_MAX) return TfLiteKernelInitFailed();
    Options* options = malloc(sizeof(*options) + count * sizeof(options->kinds[0]));
    if (options == NULL) return TfLiteKernelInitFailed();
    options->count = count;
    for (size_t i = 0; i < count; i++) options->kinds[i] = read_kind(types, i);
    return options;
}

static void options_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    free(data);
}

// Accepts ROW_SPLITS alone, or FIRST_DIM_SIZE followed by VALUE_ROWIDS.
static TfLiteStatus check_options(TfLiteOpaqueContext* context, const Options* options) {
    const Kind first = options->kinds[0];
    for (size_t i = 0; i < options->count; i++) {
        const Kind expected = first != kFirstDimSize ? kRowSplits : i == 0 ? kFirstDimSize : kValueRowIds;
        if (options->kinds[i] != expected) {
            return lite_extension_fail(context, "%s: row_partition_types[%zu] is not one that can be there",
                                       op, i);
        }
    }
    return kTfLiteOk;
}

static bool is_index(TfLiteType type) {
    return type == kTfLiteInt32 || type == kTfLiteInt64;
}

static TfLiteStatus check_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfInputs(node); i++) {
        const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, i);
        const TfLiteType type = TfLiteOpaqueTensorType(input);
        const bool holds_values = i == kValues || i == kDefault;
        const bool right =
            is_index(type) || (holds_values && (type == kTfLiteFloat32 || type == kTfLiteString));
        if (!right) {
            return lite_extension_fail(context, "%s: input %d of type %s", op, i, TfLiteTypeGetName(type));
        }
    }
    const TfLiteType type = TfLiteOpaqueTensorType(TfLiteOpaqueNodeGetInput(context, node, kValues));
    LITE_EXTENSION_TRY(lite_extension_check_input(context, node, op, "default value", kDefault, type));
    return lite_extension_check_output(context, node, op, "output", 0, type);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Options* options = TfLiteOpaqueNodeGetUserData(node);
    const int inputs = TfLiteOpaqueNodeNumberOfInputs(node);
    const int outputs = TfLiteOpaqueNodeNumberOfOutputs(node);
    const size_t partitions = inputs > kFirstPartition ? (size_t)(inputs - kFirstPartition) : 0;
    if (outputs != 1 || partitions == 0 || partitions != options->count) {
        return lite_extension_fail(context, "%s: %d inputs and %d outputs for %zu partitions", op, inputs,
                                   outputs, options->count);
    }
    LITE_EXTENSION_TRY(check_options(context, options));
    LITE_EXTENSION_TRY(check_inputs(context, node));
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, 0));
    return kTfLiteOk;
}

// One level of rows.
typedef struct Partition {
    const TfLiteOpaqueTensor* tensor;
    int64_t rows;
    int64_t elements; // in all rows: the rows of the next level, or, in the last level, the values
    int64_t longest;  // length of the longest row
} Partition;

// The state of one run.
typedef struct Work {
    const TfLiteOpaqueTensor* values;
    const TfLiteOpaqueTensor* default_value;
    TfLiteOpaqueTensor* output;
    bool splits; // whether the partitions are row splits; else row ids
    int levels;
    Partition* partitions;
    int64_t rows;     // of the outermost level
    int64_t elements; // of the innermost one
    int64_t* places;  // of each element in the output, in values; -1: it is cut off
} Work;

static int64_t count_of(const TfLiteOpaqueTensor* tensor) {
    return lite_extension_elements(tensor, TfLiteOpaqueTensorNumDims(tensor));
}

static TfLiteStatus measure_splits(TfLiteOpaqueContext* context, Partition* p) {
    const int64_t count = count_of(p->tensor);
    if (count < 1 || lite_extension_integer(p->tensor, 0) != 0) {
        return lite_extension_fail(context, "%s: row splits do not begin with 0", op);
    }
    p->rows = count - 1;
    p->longest = count > 1 ? 1 : 0; // empty rows count as one wide, as in the reference
    for (int64_t i = 1; i < count; i++) {
        const int64_t begin = p->elements;
        p->elements = lite_extension_integer(p->tensor, i);
        if (p->elements < begin || p->elements > INT32_MAX) {
            return lite_extension_fail(context, "%s: row split %lld follows %lld", op, (long long)p->elements,
                                       (long long)begin);
        }
        if (p->elements - begin > p->longest) p->longest = p->elements - begin;
    }
    return kTfLiteOk;
}

static TfLiteStatus measure_ids(TfLiteOpaqueContext* context, Partition* p) {
    int64_t last = 0, run = 0;
    p->elements = count_of(p->tensor);
    for (int64_t i = 0; i < p->elements; i++) {
        const int64_t id = lite_extension_integer(p->tensor, i);
        if (id < last || id >= p->rows) {
            return lite_extension_fail(context, "%s: row id %lld of %lld rows follows %lld", op,
                                       (long long)id, (long long)p->rows, (long long)last);
        }
        run = id == last ? run + 1 : 1;
        if (run > p->longest) p->longest = run;
        last = id;
    }
    return kTfLiteOk;
}

static TfLiteStatus measure(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Work* w) {
    int partition = kFirstPartition;
    if (!w->splits) {
        const TfLiteOpaqueTensor* size = TfLiteOpaqueNodeGetInput(context, node, partition++);
        w->rows = count_of(size) > 0 ? lite_extension_integer(size, 0) : -1;
        if (w->rows < 0) return lite_extension_fail(context, "%s: %lld rows", op, (long long)w->rows);
    }
    w->elements = w->rows;
    for (int i = 0; i < w->levels; i++) {
        Partition* p = &w->partitions[i];
        p->tensor = TfLiteOpaqueNodeGetInput(context, node, partition + i);
        p->rows = w->elements;
        LITE_EXTENSION_TRY(w->splits ? measure_splits(context, p) : measure_ids(context, p));
        if (i == 0) w->rows = p->rows;
        if (i > 0 && p->rows != w->elements) {
            return lite_extension_fail(context, "%s: partition %d splits %lld rows, of which there are %lld",
                                       op, i, (long long)p->rows, (long long)w->elements);
        }
        w->elements = p->elements;
    }
    if (w->elements <= TfLiteOpaqueTensorDim(w->values, 0)) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %lld values in rows, and %d are there", op,
                               (long long)w->elements, TfLiteOpaqueTensorDim(w->values, 0));
}

// The length that the program has given, or that of the longest row.
static TfLiteStatus resize_output(TfLiteOpaqueContext* context, const Work* w,
                                  const TfLiteOpaqueTensor* wanted) {
    const int rank = w->levels + TfLiteOpaqueTensorNumDims(w->values);
    const bool given = TfLiteOpaqueTensorNumDims(wanted) > 0;
    if (given && count_of(wanted) != rank) {
        return lite_extension_fail(context, "%s: a shape of %lld dimensions, expected %d", op,
                                   (long long)count_of(wanted), rank);
    }
    TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
    if (shape == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    for (int i = 0; i < rank; i++) {
        int64_t length = given && i <= w->levels ? lite_extension_integer(wanted, i) : -1;
        if (i > w->levels) length = TfLiteOpaqueTensorDim(w->values, i - w->levels);
        if (length < 0) length = i == 0 ? w->rows : w->partitions[i - 1].longest;
        if (length > INT32_MAX) {
            TfLiteIntArrayFree(shape);
            return lite_extension_fail(context, "%s: dimension %d is %lld", op, i, (long long)length);
        }
        shape->data[i] = (int)length;
    }
    return TfLiteOpaqueContextResizeTensor(context, w->output, shape); // takes the array over
}

// The place of row `i`: of the outermost level, or of the present one when it is known.
static int64_t place_of(const Work* w, int64_t i, int64_t step) {
    if (w->places != NULL) return w->places[i];
    return i < TfLiteOpaqueTensorDim(w->output, 0) ? i * step : -1;
}

// Computes the places of a level's elements from those of its rows, which are `step` apart in the outermost
// level.
static TfLiteStatus place_elements(TfLiteOpaqueContext* context, Work* w, int level, int64_t step) {
    const Partition* p = &w->partitions[level];
    const int32_t width = TfLiteOpaqueTensorDim(w->output, level + 1);
    int64_t* places = calloc((size_t)p->elements + 1, sizeof(*places));
    if (places == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    int64_t element_step = 1;
    for (int i = level + 2; i <= w->levels; i++) element_step *= TfLiteOpaqueTensorDim(w->output, i);
    int64_t row = 0, column = 0;
    for (int64_t i = 0; i < p->elements; i++, column++) {
        const int64_t before = row;
        if (w->splits) {
            while (lite_extension_integer(p->tensor, row + 1) <= i) row++;
        } else {
            row = lite_extension_integer(p->tensor, i);
        }
        if (row != before) column = 0;
        const int64_t place = place_of(w, row, step);
        places[i] = place >= 0 && column < width ? place + column * element_step : -1;
    }
    free(w->places);
    w->places = places;
    return kTfLiteOk;
}

// Copies the values to their places and the default to all others. `size` is the size of a value in bytes.
static void fill_numbers(const Work* w, int64_t step, size_t size, size_t value_size) {
    const char* values = TfLiteOpaqueTensorData(w->values);
    const char* default_value = TfLiteOpaqueTensorData(w->default_value);
    char* output = TfLiteOpaqueTensorData(w->output);
    const size_t bytes = TfLiteOpaqueTensorByteSize(w->output);
    for (size_t at = 0; at < bytes; at += size) memcpy(output + at, default_value, size);
    for (int64_t i = 0; i < w->elements; i++) {
        const int64_t place = place_of(w, i, step);
        if (place < 0) continue;
        memcpy(output + (size_t)place * value_size, values + (size_t)i * value_size, value_size);
    }
}

static TfLiteStatus fill_strings(TfLiteOpaqueContext* context, const Work* w, int64_t step,
                                 int64_t value_size, LiteExtensionStrings* list) {
    const char* text;
    int length, count;
    LITE_EXTENSION_TRY(lite_extension_string_count(context, op, w->values, &count));
    LITE_EXTENSION_TRY(lite_extension_string(context, op, w->default_value, 0, &text, &length));
    LITE_EXTENSION_TRY(lite_extension_strings_create(context, op, count_of(w->output), list));
    for (int i = 0; i < list->count; i++) {
        list->texts[i] = text;
        list->lengths[i] = length;
    }
    for (int64_t i = 0; i < w->elements * value_size; i++) {
        const int64_t place = place_of(w, i / value_size, step);
        if (place < 0) continue;
        const int64_t to = place * value_size + i % value_size;
        LITE_EXTENSION_TRY(
            lite_extension_string(context, op, w->values, (int)i, &list->texts[to], &list->lengths[to]));
    }
    return lite_extension_strings_write(context, op, list, w->output);
}

static TfLiteStatus fill_output(TfLiteOpaqueContext* context, Work* w) {
    LiteExtensionStrings list = {0};
    int64_t value_size = 1, step = 1;
    for (int i = 1; i < TfLiteOpaqueTensorNumDims(w->values); i++) {
        value_size *= TfLiteOpaqueTensorDim(w->values, i);
    }
    for (int i = 1; i <= w->levels; i++) step *= TfLiteOpaqueTensorDim(w->output, i);
    for (int i = 0; i < w->levels; i++) LITE_EXTENSION_TRY(place_elements(context, w, i, step));
    const TfLiteType type = TfLiteOpaqueTensorType(w->output);
    if (type == kTfLiteString) {
        const TfLiteStatus status = fill_strings(context, w, step, value_size, &list);
        lite_extension_strings_free(&list);
        return status;
    }
    const size_t size = type == kTfLiteInt64 ? sizeof(int64_t) : sizeof(int32_t); // FLOAT32 too
    fill_numbers(w, step, size, (size_t)value_size * size);
    return kTfLiteOk;
}

static TfLiteStatus run(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Work* w) {
    w->partitions = calloc((size_t)w->levels + 1, sizeof(*w->partitions));
    if (w->partitions == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    if (TfLiteOpaqueTensorNumDims(w->values) < 1 || count_of(w->default_value) != 1) {
        return lite_extension_fail(context, "%s: values of %d dimensions, and %lld default values", op,
                                   TfLiteOpaqueTensorNumDims(w->values),
                                   (long long)count_of(w->default_value));
    }
    LITE_EXTENSION_TRY(measure(context, node, w));
    LITE_EXTENSION_TRY(resize_output(context, w, TfLiteOpaqueNodeGetInput(context, node, kShape)));
    if (count_of(w->output) > 0) return fill_output(context, w);
    if (TfLiteOpaqueTensorType(w->output) != kTfLiteString) return kTfLiteOk;
    return lite_extension_strings_write(context, op, &(LiteExtensionStrings){0}, w->output);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Options* options = TfLiteOpaqueNodeGetUserData(node);
    const bool splits = options->kinds[0] == kRowSplits;
    Work work = {.values = TfLiteOpaqueNodeGetInput(context, node, kValues),
                 .default_value = TfLiteOpaqueNodeGetInput(context, node, kDefault),
                 .output = TfLiteOpaqueNodeGetOutput(context, node, 0),
                 .splits = splits,
                 .levels = (int)options->count - (splits ? 0 : 1)};
    const TfLiteStatus status = run(context, node, &work);
    free(work.partitions);
    free(work.places);
    return status;
}

const LiteExtensionOperator lite_text_ragged_to_tensor = {
    .name = op, .init = init, .free = options_free, .prepare = prepare, .invoke = invoke};
