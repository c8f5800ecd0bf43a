// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "tests/memory/scenario.h"
#include "tests/support/model_builder.h"

static int vector(ModelBuilder* b, TfLiteType type, int length) {
    return builder_tensor(b, (BuilderTensor){.type = type, .rank = 1, .dims = {length}});
}

static int constant(ModelBuilder* b, TfLiteType type, int length, const void* data, size_t bytes) {
    return builder_tensor(
        b, (BuilderTensor){.type = type, .rank = 1, .dims = {length}, .data = data, .bytes = bytes});
}

static void node(ModelBuilder* b, TfLiteBuiltinOperator code, BuilderInts inputs, BuilderInts outputs,
                 const void* params) {
    builder_operator(b,
                     (BuilderOperator){.code = code, .inputs = inputs, .outputs = outputs, .params = params});
}

static void ports(ModelBuilder* b, BuilderInts inputs, BuilderInts outputs) {
    builder_inputs(b, inputs);
    builder_outputs(b, outputs);
}

static const int32_t one = 1, three = 3;
static const TfLiteAddParams plain_add = {.activation = kTfLiteActNone};

// i = 0; while (i < 3) { i = i + 1; x = (x, x + x); }
uint8_t* model_with_loop(size_t* size) {
    static const TfLiteWhileParams loop = {.cond_subgraph_index = 1, .body_subgraph_index = 2};
    static const TfLiteConcatenationParams join = {.axis = 0, .activation = kTfLiteActNone};
    static const int32_t zero = 0;
    ModelBuilder* b = builder_create();
    const int x = vector(b, kTfLiteFloat32, 2), i = constant(b, kTfLiteInt32, 1, &zero, sizeof zero);
    const int last = vector(b, kTfLiteInt32, 1), grown = vector(b, kTfLiteFloat32, 2);
    const int sum = vector(b, kTfLiteFloat32, 2);
    node(b, kTfLiteBuiltinWhile, (BuilderInts){2, {i, x}}, (BuilderInts){2, {last, grown}}, &loop);
    node(b, kTfLiteBuiltinAdd, (BuilderInts){2, {grown, grown}}, (BuilderInts){1, {sum}}, &plain_add);
    ports(b, (BuilderInts){1, {x}}, (BuilderInts){2, {last, sum}});

    builder_subgraph(b, "condition");
    const int ci = vector(b, kTfLiteInt32, 1), cx = vector(b, kTfLiteFloat32, 2);
    const int limit = constant(b, kTfLiteInt32, 1, &three, sizeof three), less = vector(b, kTfLiteBool, 1);
    node(b, kTfLiteBuiltinLess, (BuilderInts){2, {ci, limit}}, (BuilderInts){1, {less}}, NULL);
    ports(b, (BuilderInts){2, {ci, cx}}, (BuilderInts){1, {less}});

    builder_subgraph(b, "body");
    const int bi = vector(b, kTfLiteInt32, 1), bx = vector(b, kTfLiteFloat32, 2);
    const int step = constant(b, kTfLiteInt32, 1, &one, sizeof one), next = vector(b, kTfLiteInt32, 1);
    const int twice = vector(b, kTfLiteFloat32, 2), both = vector(b, kTfLiteFloat32, 4);
    node(b, kTfLiteBuiltinAdd, (BuilderInts){2, {bi, step}}, (BuilderInts){1, {next}}, &plain_add);
    node(b, kTfLiteBuiltinAdd, (BuilderInts){2, {bx, bx}}, (BuilderInts){1, {twice}}, &plain_add);
    node(b, kTfLiteBuiltinConcatenation, (BuilderInts){2, {bx, twice}}, (BuilderInts){1, {both}}, &join);
    ports(b, (BuilderInts){2, {bi, bx}}, (BuilderInts){2, {next, both}});
    return builder_finish(b, size);
}

// Texts as a tensor of strings holds them: how many, where each begins and the last ends, their bytes.
typedef struct Texts {
    int32_t header[5];
    char bytes[12];
} Texts;

static int table(ModelBuilder* b, const TfLiteHashtableParams* params) {
    const int handle = vector(b, kTfLiteResource, 1);
    node(b, kTfLiteBuiltinHashtable, (BuilderInts){0}, (BuilderInts){1, {handle}}, params);
    return handle;
}

static int find(ModelBuilder* b, int handle, int keys, int missing, TfLiteType type) {
    const int values = vector(b, type, 3);
    node(b, kTfLiteBuiltinHashtableFind, (BuilderInts){3, {handle, keys, missing}},
         (BuilderInts){1, {values}}, NULL);
    return values;
}

// Numbers of texts, the texts of these numbers, and 0, 1, … below a number.
uint8_t* model_with_strings(size_t* size) {
    static const TfLiteCallOnceParams once = {.init_subgraph_index = 1};
    static const TfLiteHashtableParams to_number = {1, kTfLiteString, kTfLiteInt64};
    static const TfLiteHashtableParams to_text = {2, kTfLiteInt64, kTfLiteString};
    static const Texts keys = {{3, 20, 23, 26, 32}, "onetwotwelve"};
    static const struct {
        int32_t header[3];
        char bytes[4];
    } unknown = {{1, 12, 16}, "none"};
    static const int64_t numbers[] = {1, 2, 12}, minus_one = -1;
    static const int32_t zero = 0;
    ModelBuilder* b = builder_create();
    const int texts = vector(b, kTfLiteString, 3);
    const int count = builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32, .rank = 0});
    const int no_number = constant(b, kTfLiteInt64, 1, &minus_one, sizeof minus_one);
    const int no_text = constant(b, kTfLiteString, 1, &unknown, sizeof unknown);
    const int start = builder_tensor(
        b, (BuilderTensor){.type = kTfLiteInt32, .rank = 0, .data = &zero, .bytes = sizeof zero});
    const int delta = builder_tensor(
        b, (BuilderTensor){.type = kTfLiteInt32, .rank = 0, .data = &one, .bytes = sizeof one});
    node(b, kTfLiteBuiltinCallOnce, (BuilderInts){0}, (BuilderInts){0}, &once);
    const int found = find(b, table(b, &to_number), texts, no_number, kTfLiteInt64);
    const int names = find(b, table(b, &to_text), found, no_text, kTfLiteString);
    const int range = vector(b, kTfLiteInt32, 1);
    node(b, kTfLiteBuiltinRange, (BuilderInts){3, {start, count, delta}}, (BuilderInts){1, {range}}, NULL);
    ports(b, (BuilderInts){2, {texts, count}}, (BuilderInts){3, {found, names, range}});

    builder_subgraph(b, "fill");
    const int words = constant(b, kTfLiteString, 3, &keys, sizeof keys);
    const int values = constant(b, kTfLiteInt64, 3, numbers, sizeof numbers);
    node(b, kTfLiteBuiltinHashtableImport, (BuilderInts){3, {table(b, &to_number), words, values}},
         (BuilderInts){0}, NULL);
    node(b, kTfLiteBuiltinHashtableImport, (BuilderInts){3, {table(b, &to_text), values, words}},
         (BuilderInts){0}, NULL);
    ports(b, (BuilderInts){0}, (BuilderInts){0});
    return builder_finish(b, size);
}

static const TfLiteVarHandleParams total = {.container = "", .shared_name = "total"};

static int variable(ModelBuilder* b) {
    const int handle = vector(b, kTfLiteResource, 1);
    node(b, kTfLiteBuiltinVarHandle, (BuilderInts){0}, (BuilderInts){1, {handle}}, &total);
    return handle;
}

// "add": total = total + x; "get": total. It begins with 1, 2.
uint8_t* model_with_variables(size_t* size) {
    static const TfLiteCallOnceParams once = {.init_subgraph_index = 2};
    static const float begin[] = {1, 2};
    ModelBuilder* b = builder_create();
    const int x = vector(b, kTfLiteFloat32, 2), before = vector(b, kTfLiteFloat32, 2);
    const int after = vector(b, kTfLiteFloat32, 2);
    node(b, kTfLiteBuiltinCallOnce, (BuilderInts){0}, (BuilderInts){0}, &once);
    const int handle = variable(b);
    node(b, kTfLiteBuiltinReadVariable, (BuilderInts){1, {handle}}, (BuilderInts){1, {before}}, NULL);
    node(b, kTfLiteBuiltinAdd, (BuilderInts){2, {before, x}}, (BuilderInts){1, {after}}, &plain_add);
    node(b, kTfLiteBuiltinAssignVariable, (BuilderInts){2, {handle, after}}, (BuilderInts){0}, NULL);
    ports(b, (BuilderInts){1, {x}}, (BuilderInts){1, {after}});

    builder_subgraph(b, "get");
    const int value = vector(b, kTfLiteFloat32, 2);
    node(b, kTfLiteBuiltinReadVariable, (BuilderInts){1, {variable(b)}}, (BuilderInts){1, {value}}, NULL);
    ports(b, (BuilderInts){0}, (BuilderInts){1, {value}});

    builder_subgraph(b, "begin");
    const int first = constant(b, kTfLiteFloat32, 2, begin, sizeof begin);
    node(b, kTfLiteBuiltinAssignVariable, (BuilderInts){2, {variable(b), first}}, (BuilderInts){0}, NULL);
    ports(b, (BuilderInts){0}, (BuilderInts){0});
    builder_signature(b, "add", 0, (BuilderNames){1, {{"x", x}}}, (BuilderNames){1, {{"total", after}}});
    builder_signature(b, "get", 1, (BuilderNames){0}, (BuilderNames){1, {{"total", value}}});
    return builder_finish(b, size);
}

uint8_t* model_of_abs(size_t* size) {
    ModelBuilder* b = builder_create();
    const int x = vector(b, kTfLiteFloat32, 3), y = vector(b, kTfLiteFloat32, 3),
              z = vector(b, kTfLiteFloat32, 3);
    node(b, kTfLiteBuiltinAbs, (BuilderInts){1, {x}}, (BuilderInts){1, {y}}, NULL);
    node(b, kTfLiteBuiltinAbs, (BuilderInts){1, {y}}, (BuilderInts){1, {z}}, NULL);
    ports(b, (BuilderInts){1, {x}}, (BuilderInts){1, {z}});
    return builder_finish(b, size);
}
