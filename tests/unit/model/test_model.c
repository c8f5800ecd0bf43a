// SPDX-License-Identifier: Apache-2.0
// The model loader: what it reads, and what it says about files that are broken on purpose.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/model/model.h"
#include "core/model/open.h"
#include "core/model/schema.h"
#include "tests/support/absent.h"
#include "tests/support/model_builder.h"

typedef struct Messages {
    int count;
    char text[512]; // the last one
} Messages;

static void record(void* user_data, const char* format, va_list args) {
    Messages* messages = user_data;
    messages->count++;
    vsnprintf(messages->text, sizeof(messages->text), format, args);
}

// Loads what the builder holds. The bytes are released with the model (destroy).
typedef struct Loaded {
    uint8_t* bytes;
    size_t size;
    LiteModel* model;
    Messages messages;
} Loaded;

static void load(Loaded* loaded, ModelBuilder* builder) {
    memset(loaded, 0, sizeof(*loaded));
    loaded->bytes = builder_finish(builder, &loaded->size);
    const LiteReporter reporter = {record, &loaded->messages};
    loaded->model = lite_model_create(loaded->bytes, loaded->size, &reporter);
}

static void unload(Loaded* loaded) {
    lite_model_release(loaded->model);
    free(loaded->bytes);
}

static const float weights[] = {1, 2, 3, 4, 5, 6};

// y = x + w, all [2, 3]: tensors 0 to 2.
static ModelBuilder* add_model(void) {
    ModelBuilder* b = builder_create();
    const BuilderTensor x = {.name = "x", .type = kTfLiteFloat32, .rank = 2, .dims = {2, 3}};
    BuilderTensor w = x;
    w.name = "w";
    w.data = weights;
    w.bytes = sizeof(weights);
    BuilderTensor y = x;
    y.name = "y";
    builder_tensor(b, x);
    builder_tensor(b, w);
    builder_tensor(b, y);
    static const TfLiteAddParams params = {.activation = kTfLiteActRelu6, .pot_scale_int16 = true};
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                          .version = 2,
                                          .inputs = {2, {0, 1}},
                                          .outputs = {1, {2}},
                                          .params = &params});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

static void assert_ints(LiteModelInts ints, int count, const int32_t* expected) {
    assert_int_equal(ints.count, count);
    for (int i = 0; i < count; i++) assert_int_equal(ints.data[i], expected[i]);
}

static void everything_is_read(void** state) {
    (void)state;
    ModelBuilder* b = add_model();
    lite_tree_string(builder_model(b), kModelDescription, "a sum");
    builder_signature(b, "serve", 0, (BuilderNames){1, {{"in", 0}}}, (BuilderNames){1, {{"out", 2}}});
    builder_metadata(b, "note", "abc", 3);
    Loaded l;
    load(&l, b);
    assert_non_null(l.model);
    assert_int_equal(l.messages.count, 0);
    assert_int_equal(lite_model_subgraph_count(l.model), 1);
    assert_string_equal(lite_model_description(l.model), "a sum");
    assert_int_equal(lite_model_schema_version(l.model), 3);
    const LiteModelSubgraph* g = lite_model_subgraph(l.model, 0);
    assert_string_equal(g->name, "main");
    assert_int_equal(g->tensor_count, 3);
    assert_string_equal(g->tensors[1].name, "w");
    assert_int_equal(g->tensors[1].type, kTfLiteFloat32);
    assert_int_equal(g->tensors[1].bytes, sizeof(weights));
    assert_memory_equal(g->tensors[1].data, weights, sizeof(weights));
    assert_null(g->tensors[0].data);
    assert_true(g->tensors[0].has_rank);
    assert_ints(g->tensors[0].shape, 2, (const int32_t[]){2, 3});
    assert_int_equal(g->tensors[0].shape_signature.count, 0);
    assert_int_equal(g->tensors[0].quantization.type, kTfLiteNoQuantization);
    assert_ints(g->inputs, 1, (const int32_t[]){0});
    assert_ints(g->outputs, 1, (const int32_t[]){2});
    assert_int_equal(g->operator_count, 1);
    const LiteModelOperator* op = &g->operators[0];
    assert_int_equal(op->builtin_code, kTfLiteBuiltinAdd);
    assert_int_equal(op->version, 2);
    assert_null(op->custom_name);
    assert_ints(op->inputs, 2, (const int32_t[]){0, 1});
    const TfLiteAddParams* params = op->builtin_data;
    assert_int_equal(params->activation, kTfLiteActRelu6);
    assert_true(params->pot_scale_int16);
    assert_int_equal(lite_model_signature_count(l.model), 1);
    const LiteModelSignature* s = lite_model_signature(l.model, 0);
    assert_string_equal(s->key, "serve");
    assert_int_equal(s->subgraph, 0);
    assert_string_equal(s->inputs[0].name, "in");
    assert_int_equal(s->outputs[0].tensor, 2);
    assert_int_equal(lite_model_metadata_count(l.model), 1);
    assert_memory_equal(lite_model_metadata(l.model, 0)->data, "abc", 3);
    const void* base;
    size_t size;
    assert_int_equal(lite_model_file(l.model, &base, &size), -1);
    assert_ptr_equal(base, l.bytes);
    assert_int_equal(size, l.size);
    unload(&l);
}

// What old and frugal writers leave out.
static void absent_fields_have_their_defaults(void** state) {
    (void)state;
    ModelBuilder* b = add_model();
    LiteTreeTable* code = lite_tree_at(builder_model(b), kModelOperatorCodes, 0);
    lite_tree_remove(code, kOperatorCodeVersion);
    lite_tree_remove(code, kOperatorCodeBuiltinCode); // the old byte alone
    LiteTreeTable* x = builder_tensor_table(b, 0);
    lite_tree_remove(x, kTensorName);
    lite_tree_remove(x, kTensorShape);
    lite_tree_remove(x, kTensorType);
    LiteTreeTable* op = builder_operator_table(b, 0);
    lite_tree_remove(op, kOperatorBuiltinOptions);
    lite_tree_remove(builder_subgraph_table(b), kSubGraphName);
    lite_tree_scalar(builder_tensor_table(b, 2), kTensorHasRank, 1, 1);
    lite_tree_remove(builder_tensor_table(b, 2), kTensorShape);
    Loaded l;
    load(&l, b);
    assert_non_null(l.model);
    const LiteModelSubgraph* g = lite_model_subgraph(l.model, 0);
    assert_string_equal(g->name, "");
    assert_string_equal(lite_model_description(l.model), "");
    assert_string_equal(g->tensors[0].name, "");
    assert_int_equal(g->tensors[0].type, kTfLiteFloat32);
    assert_false(g->tensors[0].has_rank);
    assert_true(g->tensors[2].has_rank);
    assert_int_equal(g->operators[0].builtin_code, kTfLiteBuiltinAdd);
    assert_int_equal(g->operators[0].version, 1);
    // Parameters of an operator without options are all 0, unlike absent fields of an options table.
    const TfLiteAddParams* params = g->operators[0].builtin_data;
    assert_non_null(params);
    assert_false(params->pot_scale_int16);
    unload(&l);
}

static void options_of_another_operator_are_ignored(void** state) {
    (void)state;
    ModelBuilder* b = add_model();
    lite_tree_scalar(builder_operator_table(b, 0), kOperatorBuiltinOptionsType, 1, 21); // MulOptions
    Loaded l;
    load(&l, b);
    assert_non_null(l.model);
    const TfLiteAddParams* params = lite_model_subgraph(l.model, 0)->operators[0].builtin_data;
    assert_int_equal(params->activation, kTfLiteActNone);
    unload(&l);
}

static void custom_operators_keep_their_options(void** state) {
    (void)state;
    ModelBuilder* b = add_model();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32});
    builder_operator(b, (BuilderOperator){.custom_name = "Atan",
                                          .inputs = {2, {2, -1}},
                                          .outputs = {1, {3}},
                                          .custom_options = "\1\2\3",
                                          .custom_options_size = 3});
    static const uint8_t mutating[] = {1};
    lite_tree_vector(builder_operator_table(b, 1), kOperatorMutatingVariableInputs, mutating, 1, 1, 1);
    Loaded l;
    load(&l, b);
    assert_non_null(l.model);
    const LiteModelOperator* op = &lite_model_subgraph(l.model, 0)->operators[1];
    assert_int_equal(op->builtin_code, kTfLiteBuiltinCustom);
    assert_string_equal(op->custom_name, "Atan");
    assert_int_equal(op->custom_options_size, 3);
    assert_memory_equal(op->custom_options, "\1\2\3", 3);
    assert_null(op->builtin_data);
    assert_ints(op->inputs, 2, (const int32_t[]){2, -1});
    assert_ints(op->mutating_inputs, 2, (const int32_t[]){1, 0});
    unload(&l);
}

// Contents behind the FlatBuffer, as files over 2 GiB have them.
static void contents_may_lie_behind_the_tables(void** state) {
    (void)state;
    uint64_t offset = 0;
    Loaded l = {0};
    for (int pass = 0; pass < 2; pass++) { // the first one finds out the size
        free(l.bytes);
        ModelBuilder* b = add_model();
        LiteTreeTable* buffer = lite_tree_at(builder_model(b), kModelBuffers, 1);
        lite_tree_remove(buffer, kBufferData);
        lite_tree_scalar(buffer, kBufferOffset, 8, offset);
        lite_tree_scalar(buffer, kBufferSize, 8, sizeof(weights));
        builder_operator(b, (BuilderOperator){.custom_name = "Big", .inputs = {1, {2}}});
        lite_tree_scalar(builder_operator_table(b, 1), kOperatorLargeCustomOptionsOffset, 8, offset + 4);
        lite_tree_scalar(builder_operator_table(b, 1), kOperatorLargeCustomOptionsSize, 8, 5);
        l.bytes = builder_finish(b, &l.size);
        offset = (l.size + 15) / 16 * 16;
    }
    uint8_t* bytes = calloc(1, offset + sizeof(weights));
    assert_non_null(bytes);
    memcpy(bytes, l.bytes, l.size);
    memcpy(bytes + offset, weights, sizeof(weights));
    LiteModel* model = lite_model_create(bytes, offset + sizeof(weights), NULL);
    assert_non_null(model);
    const LiteModelSubgraph* g = lite_model_subgraph(model, 0);
    assert_ptr_equal(g->tensors[1].data, bytes + offset);
    assert_int_equal(g->tensors[1].bytes, sizeof(weights));
    assert_ptr_equal(g->operators[1].custom_options, bytes + offset + 4);
    assert_int_equal(g->operators[1].custom_options_size, 5);
    lite_model_release(model);
    const LiteReporter reporter = {record, &l.messages};
    assert_null(lite_model_create(bytes, offset + sizeof(weights) - 1, &reporter));
    assert_non_null(strstr(l.messages.text, "Subgraph 0, tensor 1 (w): 24 bytes at offset"));
    free(bytes);
    free(l.bytes);
}

// As the file above, only larger; what lies between is a hole that takes no space.
static void files_may_exceed_2_gib(void** state) {
    (void)state;
    const uint64_t offset = (UINT64_C(1) << 31) + 64;
    ModelBuilder* b = add_model();
    LiteTreeTable* buffer = lite_tree_at(builder_model(b), kModelBuffers, 1);
    lite_tree_remove(buffer, kBufferData);
    lite_tree_scalar(buffer, kBufferOffset, 8, offset);
    lite_tree_scalar(buffer, kBufferSize, 8, sizeof(weights));
    size_t size;
    uint8_t* bytes = builder_finish(b, &size);
    char path[] = "/tmp/oclite_model_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    const bool written = pwrite(fd, bytes, size, 0) == (ssize_t)size &&
                         pwrite(fd, weights, sizeof(weights), (off_t)offset) == (ssize_t)sizeof(weights);
    close(fd);
    free(bytes);
    LiteModel* model = written ? lite_model_open(path, NULL) : NULL;
    remove(path);
    if (!written) skip(); // no file of that size here
    assert_non_null(model);
    assert_memory_equal(lite_model_subgraph(model, 0)->tensors[1].data, weights, sizeof(weights));
    lite_model_release(model);
}

static void the_bytes_may_lie_anywhere(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = builder_finish(add_model(), &size);
    uint8_t* moved = malloc(size + 16);
    assert_non_null(moved);
    for (size_t shift = 0; shift < 16; shift++) {
        memcpy(moved + shift, bytes, size);
        LiteModel* model = lite_model_create(moved + shift, size, NULL);
        assert_non_null(model);
        const LiteModelTensor* w = &lite_model_subgraph(model, 0)->tensors[1];
        assert_int_equal((uintptr_t)w->data % sizeof(float), 0);
        assert_memory_equal(w->data, weights, sizeof(weights));
        lite_model_release(model);
    }
    free(moved);
    free(bytes);
}

// 64-bit contents at a multiple of 4 only: one aligned copy, shared as the buffer is.
static void misaligned_contents_are_copied(void** state) {
    (void)state;
    static const int64_t values[] = {1, 2, 3};
    for (size_t alignment = 4; alignment <= 12; alignment += 4) {
        ModelBuilder* b = add_model();
        const BuilderTensor t = {
            .type = kTfLiteInt64, .rank = 1, .dims = {3}, .data = values, .bytes = sizeof(values)};
        builder_tensor(b, t);
        builder_tensor(b, t);
        lite_tree_scalar(builder_tensor_table(b, 4), kTensorBuffer, 4, 2);
        lite_tree_vector(lite_tree_at(builder_model(b), kModelBuffers, 2), kBufferData, values,
                         sizeof(values), 1, alignment);
        Loaded l;
        load(&l, b);
        assert_non_null(l.model);
        const LiteModelTensor* tensors = lite_model_subgraph(l.model, 0)->tensors;
        assert_int_equal((uintptr_t)tensors[3].data % 8, 0);
        assert_memory_equal(tensors[3].data, values, sizeof(values));
        assert_ptr_equal(tensors[3].data, tensors[4].data);
        unload(&l);
    }
}

static void files_are_mapped(void** state) {
    (void)state;
    char path[] = "/tmp/oclite_model_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE* file = fdopen(fd, "wb");
    size_t size;
    uint8_t* bytes = builder_finish(add_model(), &size);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    LiteModel* model = lite_model_open(path, NULL);
    remove(path);
    assert_non_null(model);
    const void* base;
    size_t mapped;
    assert_true(lite_model_file(model, &base, &mapped) >= 0);
    assert_int_equal(mapped, size);
    assert_memory_equal(base, bytes, size);
    assert_ptr_equal(lite_model_retain(model), model);
    lite_model_release(model);
    assert_string_equal(lite_model_subgraph(model, 0)->name, "main");
    lite_model_release(model);
    lite_model_release(NULL);
    free(bytes);
    Messages messages = {0};
    const LiteReporter reporter = {record, &messages};
    const char* absent = absent_path();
    assert_null(lite_model_open(absent, &reporter));
    assert_non_null(strstr(messages.text, absent));
    assert_non_null(strstr(messages.text, "': No such file or directory"));
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    static const float scales[] = {1, 2};
    for (int failing = 0;; failing++) {
        assert_true(failing < 1000);
        ModelBuilder* b = add_model();
        builder_tensor(
            b, (BuilderTensor){
                   .type = kTfLiteInt8, .rank = 2, .dims = {2, 3}, .scale_count = 2, .scales = scales});
        builder_signature(b, "serve", 0, (BuilderNames){1, {{"in", 0}}}, (BuilderNames){1, {{"out", 2}}});
        builder_metadata(b, "note", "abc", 3);
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        Messages messages = {0};
        const LiteReporter reporter = {record, &messages};
        lite_memory_fail_after(failing);
        LiteModel* model = lite_model_create(bytes, size, &reporter);
        lite_memory_fail_after(-1);
        const bool done = model != NULL;
        if (!done) assert_int_equal(messages.count, 1);
        lite_model_release(model);
        free(bytes);
        if (done) break;
    }
}

// Quantization ---------------------------------------------------------------------------------------------

// Tensors with one scale, with one for each channel, with less than that, and of the two other kinds.
static ModelBuilder* quantized_model(void) {
    static const float scales[] = {0.5f, 0.25f};
    static const int64_t zero_points[] = {-3, 4};
    static const int32_t axes[] = {1, 0};
    static const int32_t bias_dims[] = {2};
    ModelBuilder* b = builder_create();
    BuilderTensor t = {.type = kTfLiteInt8, .rank = 2, .dims = {3, 2}, .scale = 0.125f, .zero_point = 7};
    builder_tensor(b, t);
    t.scale_count = 2;
    t.scales = scales;
    t.zero_points = zero_points;
    t.quantized_dimension = 1;
    builder_tensor(b, t);
    // One zero point for all channels, and a bias with the dimension of its filter.
    builder_tensor(b, t);
    LiteTreeTable* bias = builder_tensor_table(b, 2);
    lite_tree_vector(bias, kTensorShape, bias_dims, 1, 4, 4);
    LiteTreeTable* q = lite_tree_child(bias, kTensorQuantization);
    lite_tree_vector(q, kQuantizationScale, scales, 2, 4, 4);
    lite_tree_vector(q, kQuantizationZeroPoint, zero_points, 1, 8, 8);
    lite_tree_scalar(q, kQuantizationQuantizedDimension, 4, 3);
    builder_tensor(b, t);
    q = lite_tree_child(builder_tensor_table(b, 3), kTensorQuantization);
    lite_tree_scalar(q, kQuantizationDetailsType, 1, kDetailsBlockwise);
    lite_tree_scalar(q, kQuantizationQuantizedDimension, 4, 1);
    LiteTreeTable* details = lite_tree_child(q, kQuantizationDetails);
    lite_tree_scalar(details, kBlockwiseScales, 4, 2);
    lite_tree_scalar(details, kBlockwiseZeroPoints, 4, (uint32_t)-1);
    lite_tree_scalar(details, kBlockwiseBlockSize, 4, 32);
    builder_tensor(b, t);
    q = lite_tree_child(builder_tensor_table(b, 4), kTensorQuantization);
    lite_tree_scalar(q, kQuantizationDetailsType, 1, kDetailsMultiAxis);
    details = lite_tree_child(q, kQuantizationDetails);
    lite_tree_scalar(details, kBlockwiseScales, 4, 1);
    lite_tree_vector(details, kMultiAxisQuantizedDimensions, axes, 2, 4, 4);
    return b;
}

static void quantization_is_read(void** state) {
    (void)state;
    Loaded l;
    load(&l, quantized_model());
    assert_non_null(l.model);
    const LiteModelTensor* tensors = lite_model_subgraph(l.model, 0)->tensors;
    const TfLiteAffineQuantization* affine = tensors[0].quantization.params;
    assert_int_equal(tensors[0].quantization.type, kTfLiteAffineQuantization);
    assert_int_equal(affine->scale->size, 1);
    assert_true(affine->scale->data[0] == 0.125f);
    assert_int_equal(affine->zero_point->data[0], 7);
    affine = tensors[1].quantization.params;
    assert_int_equal(affine->scale->size, 2);
    assert_true(affine->scale->data[1] == 0.25f);
    assert_int_equal(affine->zero_point->data[0], -3);
    assert_int_equal(affine->quantized_dimension, 1);
    affine = tensors[2].quantization.params;
    assert_int_equal(affine->zero_point->size, 2);
    assert_int_equal(affine->zero_point->data[1], -3);
    assert_int_equal(affine->quantized_dimension, 0);
    const TfLiteBlockwiseQuantization* blockwise = tensors[3].quantization.params;
    assert_int_equal(tensors[3].quantization.type, kTfLiteBlockwiseQuantization);
    assert_int_equal(blockwise->scale, 2);
    assert_int_equal(blockwise->zero_point, -1);
    assert_int_equal(blockwise->blocksize, 32);
    assert_int_equal(blockwise->quantized_dimension, 1);
    const TfLiteMultiAxisQuantization* multi = tensors[4].quantization.params;
    assert_int_equal(tensors[4].quantization.type, kTfLiteMultiAxisQuantization);
    assert_int_equal(multi->quantized_dimensions->size, 2);
    assert_int_equal(multi->quantized_dimensions->data[0], 1);
    unload(&l);
}

// [4, 4] in blocks of [2, 2]: the first dimension dense, the second compressed, blocks stored as they are.
static void sparsity_is_read(void** state) {
    (void)state;
    static const int32_t order[] = {0, 1, 2, 3}, blocks[] = {0, 1};
    static const uint8_t segments[] = {0, 1, 2};
    static const int32_t indices[] = {1, 0};
    static const float values[8] = {0};
    ModelBuilder* b = builder_create();
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 2, .dims = {4, 4}, .data = values, .bytes = sizeof(values)});
    LiteTreeTable* sparsity = lite_tree_child(builder_tensor_table(b, 0), kTensorSparsity);
    lite_tree_vector(sparsity, kSparsityTraversalOrder, order, 4, 4, 4);
    lite_tree_vector(sparsity, kSparsityBlockMap, blocks, 2, 4, 4);
    for (int i = 0; i < 4; i++) {
        LiteTreeTable* dimension = lite_tree_append(sparsity, kSparsityDimMetadata);
        lite_tree_scalar(dimension, kDimensionFormat, 1, i == 1);
        lite_tree_scalar(dimension, kDimensionDenseSize, 4, i == 1 ? 0 : 2);
        if (i != 1) continue;
        lite_tree_scalar(dimension, kDimensionArraySegmentsType, 1, kSparseIndexUint8);
        lite_tree_vector(lite_tree_child(dimension, kDimensionArraySegments), 0, segments, 3, 1, 4);
        lite_tree_scalar(dimension, kDimensionArrayIndicesType, 1, kSparseIndexInt32);
        lite_tree_vector(lite_tree_child(dimension, kDimensionArrayIndices), 0, indices, 2, 4, 4);
    }
    Loaded l;
    load(&l, b);
    assert_string_equal(l.messages.text, "");
    assert_non_null(l.model);
    const LiteModelTensor* t = &lite_model_subgraph(l.model, 0)->tensors[0];
    assert_int_equal(t->bytes, sizeof(values));
    assert_int_equal(t->sparsity->dim_metadata_size, 4);
    assert_int_equal(t->sparsity->block_map->data[1], 1);
    assert_int_equal(t->sparsity->dim_metadata[0].dense_size, 2);
    assert_int_equal(t->sparsity->dim_metadata[1].format, kTfLiteDimSparseCSR);
    assert_int_equal(t->sparsity->dim_metadata[1].array_segments->data[2], 2);
    assert_int_equal(t->sparsity->dim_metadata[1].array_indices->data[0], 1);
    unload(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),
        cmocka_unit_test(absent_fields_have_their_defaults),
        cmocka_unit_test(options_of_another_operator_are_ignored),
        cmocka_unit_test(custom_operators_keep_their_options),
        cmocka_unit_test(contents_may_lie_behind_the_tables),
        cmocka_unit_test(files_may_exceed_2_gib),
        cmocka_unit_test(the_bytes_may_lie_anywhere),
        cmocka_unit_test(misaligned_contents_are_copied),
        cmocka_unit_test(files_are_mapped),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(quantization_is_read),
        cmocka_unit_test(sparsity_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
