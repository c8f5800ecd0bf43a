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
// Nothing is checked, so that broken models can be built too: what is written is what is given. Pointers
// given to the builder must live until builder_finish. Out of memory ends the test program.
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
    // Quantization: none when `scale` is 0 and `scale_count` is 0; per tensor with `scale` and `zero_point`;
    // per channel with `scale_count` scales and zero points (NULL: all 0).
    float scale;
    int64_t zero_point;
    int scale_count;
    const float* scales;
    const int64_t* zero_points;
    int quantized_dimension;
    bool is_variable;
    bool sparse; // a vector that has only its first element stored
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

// Begins a further subgraph, from now on the current one; its index.
int builder_subgraph(ModelBuilder* builder, const char* name);

// Add to the current subgraph; the index of what was added.
int builder_tensor(ModelBuilder* builder, BuilderTensor tensor);
int builder_operator(ModelBuilder* builder, BuilderOperator op);
void builder_inputs(ModelBuilder* builder, BuilderInts tensors);
void builder_outputs(ModelBuilder* builder, BuilderInts tensors);

void builder_signature(ModelBuilder* builder, const char* key, int subgraph, BuilderNames inputs,
                       BuilderNames outputs);
void builder_metadata(ModelBuilder* builder, const char* name, const void* data, size_t bytes);
// A buffer of its own; its index.
int builder_buffer(ModelBuilder* builder, const void* data, size_t bytes);

// The tables behind it all, to set or break any field by its id (core/model/schema.h). `index` counts within
// the current subgraph.
LiteTreeTable* builder_model(ModelBuilder* builder);
LiteTreeTable* builder_subgraph_table(ModelBuilder* builder);
LiteTreeTable* builder_tensor_table(ModelBuilder* builder, int index);
LiteTreeTable* builder_operator_table(ModelBuilder* builder, int index);

// The finished file of *size bytes (release with free()); the builder is gone afterwards.
uint8_t* builder_finish(ModelBuilder* builder, size_t* size);

#endif
