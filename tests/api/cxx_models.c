// SPDX-License-Identifier: Apache-2.0
#include "tests/api/cxx_models.h"

#include <stdlib.h>

#include "tests/support/model_builder.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static const TfLiteMulParams kMul = {.activation = kTfLiteActNone};

static CxxModel finish(ModelBuilder* builder) {
    CxxModel model;
    model.bytes = builder_finish(builder, &model.size);
    return model;
}

static void connect(ModelBuilder* builder, int input, int output) {
    builder_inputs(builder, (BuilderInts){1, {input}});
    builder_outputs(builder, (BuilderInts){1, {output}});
}

CxxModel cxx_model_adds(void) {
    static const int32_t signature[] = {-1, 3};
    static const char* const names[] = {"x", "a", "b", "y"};
    static const char version[16] = "1.5.0";
    ModelBuilder* builder = builder_create();
    for (int i = 0; i < 4; i++) {
        builder_tensor(
            builder,
            (BuilderTensor){
                .name = names[i], .type = kTfLiteFloat32, .rank = 2, .dims = {1, 3}, .signature = signature});
    }
    for (int i = 0; i < 3; i++) {
        builder_operator(builder, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                                    .inputs = {2, {i, i}},
                                                    .outputs = {1, {i + 1}},
                                                    .params = &kAdd});
    }
    connect(builder, 0, 3);
    builder_metadata(builder, "note", "hello", 5);
    builder_metadata(builder, "min_runtime_version", version, sizeof version);
    return finish(builder);
}

CxxModel cxx_model_customs(const char* first, const char* second, int second_version) {
    const BuilderTensor floats = {.type = kTfLiteFloat32, .rank = 1, .dims = {3}};
    ModelBuilder* builder = builder_create();
    for (int i = 0; i < 3; i++) builder_tensor(builder, floats);
    builder_operator(builder,
                     (BuilderOperator){.custom_name = first, .inputs = {1, {0}}, .outputs = {1, {1}}});
    builder_operator(builder, (BuilderOperator){.custom_name = second,
                                                .version = second_version,
                                                .inputs = {1, {1}},
                                                .outputs = {1, {2}}});
    connect(builder, 0, 2);
    return finish(builder);
}

CxxModel cxx_model_variable(void) {
    BuilderTensor floats = {.type = kTfLiteFloat32, .rank = 1, .dims = {3}};
    ModelBuilder* builder = builder_create();
    builder_tensor(builder, floats);
    builder_tensor(builder, floats);
    floats.is_variable = true;
    builder_tensor(builder, floats);
    builder_operator(
        builder, (BuilderOperator){.custom_name = "Accumulate", .inputs = {2, {0, 2}}, .outputs = {1, {1}}});
    connect(builder, 0, 1);
    return finish(builder);
}

CxxModel cxx_model_strings(void) {
    const BuilderTensor strings = {.type = kTfLiteString, .rank = 1, .dims = {1}};
    ModelBuilder* builder = builder_create();
    builder_tensor(builder, strings);
    builder_tensor(builder, strings);
    builder_operator(builder,
                     (BuilderOperator){.custom_name = "Join", .inputs = {1, {0}}, .outputs = {1, {1}}});
    connect(builder, 0, 1);
    return finish(builder);
}

CxxModel cxx_model_signatures(void) {
    static const int32_t open[] = {-1};
    BuilderTensor floats = {.type = kTfLiteFloat32, .rank = 1, .dims = {2}};
    ModelBuilder* builder = builder_create();
    builder_tensor(builder, floats);
    builder_tensor(builder, floats);
    builder_operator(
        builder, (BuilderOperator){
                     .code = kTfLiteBuiltinAdd, .inputs = {2, {0, 0}}, .outputs = {1, {1}}, .params = &kAdd});
    connect(builder, 0, 1);
    const int second = builder_subgraph(builder, "second");
    floats.signature = open;
    builder_tensor(builder, floats);
    builder_tensor(builder, floats);
    builder_operator(
        builder, (BuilderOperator){
                     .code = kTfLiteBuiltinMul, .inputs = {2, {1, 1}}, .outputs = {1, {0}}, .params = &kMul});
    connect(builder, 1, 0);
    builder_signature(builder, "double", 0, (BuilderNames){1, {{"x", 0}}}, (BuilderNames){1, {{"y", 1}}});
    builder_signature(builder, "square", second, (BuilderNames){1, {{"v", 1}}},
                      (BuilderNames){1, {{"r", 0}}});
    return finish(builder);
}

void cxx_model_free(CxxModel model) {
    free(model.bytes);
}
