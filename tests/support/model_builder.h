// SPDX-License-Identifier: Apache-2.0
// Writes .tflite files in memory, for tests. A model of one ADD:
//
//     ModelBuilder* b = builder_create();
//     const int x = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {3}});
//     const int y = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {3}});
//     const TfLiteAddParams params = {.activation = kTfLiteActRelu, .pot_scale_int16 = true};
//     builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd, .inputs = {2, {x, x}},
//                                           .outputs = {1, {y}}, .params = &params});
//     builder_inputs(b, (BuilderInts){1, {x}});
//     builder_outputs(b, (BuilderInts){1, {y}});
//     size_t size;
//     uint8_t* bytes = builder_finish(b, &size); // release with free()
//
// The builder checks nothing and writes what it is given, so that it can build broken models too. Pointers
// that are given to the builder must live until builder_finish. The test program ends when memory runs out.
#ifndef TESTS_SUPPORT_MODEL_BUILDER_H_
#define TESTS_SUPPORT_MODEL_BUILDER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/common.h"
#include "tests/support/flat_writer.h"

typedef struct ModelBuilder ModelBuilder;

typedef struct BuilderInts {
    int count;
    int32_t values[24];
} BuilderInts;

typedef struct BuilderTensor {
    const char* name; // NULL: "t<index>"
    TfLiteType type;
    int rank;
    int32_t dims[10];
    const int32_t* signature; // `rank` values; NULL: absent
    const void* data;         // constant contents of `bytes` bytes, in a buffer of its own; NULL: none
    size_t bytes;
    // The tensor is not quantized when `scale` and `scale_count` are 0; it is quantized per tensor with
    // `scale` and `zero_point`, or per channel with `scale_count` scales and zero points (NULL: all 0).
    float scale;
    int64_t zero_point;
    int scale_count;
    const float* scales;
    const int64_t* zero_points;
    int quantized_dimension;
    bool is_variable;
    bool sparse; // a sparse vector of which only the first element is stored
} BuilderTensor;

typedef struct BuilderOperator {
    TfLiteBuiltinOperator code; // 0 with a custom_name counts as custom
    const char* custom_name;
    int version; // 0: 1
    BuilderInts inputs;
    BuilderInts outputs;
    BuilderInts intermediates;
    const void* params; // the TfLite*Params of `code`; NULL: no options
    const void* custom_options;
    size_t custom_options_size;
} BuilderOperator;

typedef struct BuilderNames {
    int count;
    struct {
        const char* name;
        int tensor;
    } items[8];
} BuilderNames;

ModelBuilder* builder_create(void); // with an empty subgraph 0, the current one

// Begins another subgraph, which becomes the current one, and returns its index.
int builder_subgraph(ModelBuilder* builder, const char* name);

// Add to the current subgraph and return the index of what was added.
int builder_tensor(ModelBuilder* builder, BuilderTensor tensor);
int builder_operator(ModelBuilder* builder, BuilderOperator op);
void builder_inputs(ModelBuilder* builder, BuilderInts tensors);
void builder_outputs(ModelBuilder* builder, BuilderInts tensors);

void builder_signature(ModelBuilder* builder, const char* key, int subgraph, BuilderNames inputs,
                       BuilderNames outputs);
void builder_metadata(ModelBuilder* builder, const char* name, const void* data, size_t bytes);
// Adds a buffer and returns its index.
int builder_buffer(ModelBuilder* builder, const void* data, size_t bytes);

// Return the tables of the file, so that a test can set or break any field by its id (core/model/schema.h).
// `index` counts within the current subgraph.
LiteTreeTable* builder_model(ModelBuilder* builder);
LiteTreeTable* builder_subgraph_table(ModelBuilder* builder);
LiteTreeTable* builder_tensor_table(ModelBuilder* builder, int index);
LiteTreeTable* builder_operator_table(ModelBuilder* builder, int index);

// Returns the finished file, of *size bytes, which the caller releases with free(), and deletes the builder.
uint8_t* builder_finish(ModelBuilder* builder, size_t* size);

#endif
