// SPDX-License-Identifier: Apache-2.0
// Messages that programs and the reference's own tests match on: each holds the reference's words for that
// very situation (recorded from LiteRT 2.3.0), beside ours.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"
#include "tests/support/absent.h"

#define F kTfLiteFloat32
#define I kTfLiteInt32
// Tensors, with their rank and dimensions; a constant's dimensions are in parentheses, its elements follow.
#define INPUT(TYPE, RANK, ...)                                                                               \
    {                                                                                                        \
        .type = (TYPE), .rank = (RANK), .dims = { __VA_ARGS__ }                                              \
    }
#define LIST(...)                                                                                            \
    { __VA_ARGS__ }
#define CONSTANT(TYPE, RANK, DIMS, ...)                                                                      \
    {                                                                                                        \
        .type = (TYPE), .rank = (RANK), .dims = LIST DIMS, .data = (const int32_t[]) {                       \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

typedef struct Tensor {
    TfLiteType type;
    int rank;
    int32_t dims[9];
    const int32_t* data; // of a constant; NULL: an input of the graph, all zeros
} Tensor;

// One operator of the inputs whose type is not NoType, and its output.
typedef struct Case {
    TfLiteBuiltinOperator code;
    const void* params;
    Tensor inputs[3];
    TfLiteType output;
    const char* message;
} Case;

static const TfLitePoolParams kPool = {.padding = kTfLitePaddingSame, 1, 1, 1, 1, .activation = 0};
static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static const TfLiteMulParams kRelu = {.activation = kTfLiteActRelu};
static const TfLiteReducerParams kReducer = {.keep_dims = false};
static const TfLiteStridedSliceParams kStrided = {0};
static const TfLiteGatherParams kGather = {.axis = 0};
static const TfLiteSoftmaxParams kSoftmax = {.beta = 1};
static const TfLiteConcatenationParams kJoin = {.axis = 0};
static const TfLiteMirrorPaddingParams kMirror = {.mode = kTfLiteMirrorPaddingReflect};
static const TfLitePackParams kPack = {.values_count = 2, .axis = 0};
static const TfLiteCumsumParams kCumsum = {0};
static const TfLiteConvParams kConv = {kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
static const TfLiteConv3DParams kConv3d = {kTfLitePaddingValid, 1, 1, 1, 1, 1, 1, kTfLiteActNone};
static const TfLiteReshapeParams kTen = {{10}, 1}, kTwoOpen = {{-1, -1}, 2}, kNegative = {{-2}, 1};

static const Case cases[] = {
    {kTfLiteBuiltinAdd,
     &kAdd,
     {INPUT(F, 1, 2), INPUT(I, 1, 2)},
     F,
     "input1->type != input2->type (FLOAT32 != INT32)"},
    {kTfLiteBuiltinAdd, &kAdd, {INPUT(F, 1, 2)}, F, "NumInputs(node) != 2 (1 != 2)"},
    {kTfLiteBuiltinSub,
     &kAdd,
     {INPUT(F, 2, 2, 3), INPUT(F, 2, 2, 4)},
     F,
     "Given shapes, [2,3] and [2,4], are not broadcastable."},
    {kTfLiteBuiltinSelectV2,
     NULL,
     {INPUT(kTfLiteBool, 1, 3), INPUT(F, 1, 4), INPUT(F, 1, 1)},
     F,
     "Given shapes, [3], [4] and [1], are not broadcastable."},
    {kTfLiteBuiltinSelect,
     NULL,
     {INPUT(F, 1, 2), INPUT(F, 1, 2), INPUT(F, 1, 2)},
     F,
     "input_condition->type != kTfLiteBool (FLOAT32 != BOOL)"},
    {kTfLiteBuiltinMul,
     &kRelu,
     {INPUT(kTfLiteComplex64, 1, 2), INPUT(kTfLiteComplex64, 1, 2)},
     kTfLiteComplex64,
     "Activation is not allowed for COMPLEX64 input."},
    {kTfLiteBuiltinFloorMod, NULL, {INPUT(I, 1, 1), INPUT(I, 1, 1)}, I, "Division by 0"},
    {kTfLiteBuiltinLogicalAnd,
     NULL,
     {INPUT(I, 1, 1), INPUT(I, 1, 1)},
     I,
     "Logical ops only support bool type."},
    {kTfLiteBuiltinTranspose,
     NULL,
     {INPUT(F, 2, 2, 3), CONSTANT(I, 1, (2), 0, 2)},
     F,
     "Transpose op permutations array is out of bounds."},
    {kTfLiteBuiltinTranspose, NULL, {INPUT(F, 4, 1, 3, 3, 1), CONSTANT(I, 1, (2), 1, 0)}, F, "2 != 4"},
    {kTfLiteBuiltinPad,
     NULL,
     {INPUT(F, 1, 2), CONSTANT(I, 2, (1, 2), -1, 0)},
     F,
     "Pad value has to be greater than equal to 0."},
    {kTfLiteBuiltinPad,
     NULL,
     {INPUT(F, 2, 2, 3), CONSTANT(I, 2, (1, 2), 1, 0)},
     F,
     "SizeOfDimension(op_context.paddings, 0) != op_context.dims (1 != 2)"},
    {kTfLiteBuiltinPad,
     NULL,
     {INPUT(F, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1), INPUT(I, 2, 9, 2)},
     F,
     "dims <= reference_ops::PadKernelMaxDimensionCount()"},
    {kTfLiteBuiltinMirrorPad,
     &kMirror,
     {INPUT(F, 1, 3), CONSTANT(I, 2, (1, 2), 3, 0)},
     F,
     "MirrorPad paddings must be no greater than the input dimension size minus the mode offset."},
    {kTfLiteBuiltinReshape,
     &kTen,
     {INPUT(F, 1, 12)},
     F,
     "num_input_elements != num_output_elements (12 != 10)"},
    {kTfLiteBuiltinReshape, &kTwoOpen, {INPUT(F, 1, 12)}, F, "stretch_dim != -1 (0 != -1)"},
    {kTfLiteBuiltinBroadcastTo,
     NULL,
     {INPUT(F, 2, 2, 3), CONSTANT(I, 1, (1), 3)},
     F,
     "Output shape must be broadcastable from input shape."},
    {kTfLiteBuiltinBatchToSpaceNd,
     NULL,
     {INPUT(F, 4, 4, 2, 2, 1), CONSTANT(I, 1, (2), 2, 2), CONSTANT(I, 2, (2, 2), 0, 0, 0, -1)},
     F,
     "crops[i] >= 0 was not true."},
    {kTfLiteBuiltinSlice,
     NULL,
     {INPUT(F, 1, 3), CONSTANT(I, 1, (1), 2), CONSTANT(I, 1, (1), -2)},
     F,
     "Invalid size."},
    {kTfLiteBuiltinSlice,
     NULL,
     {INPUT(F, 1, 3), CONSTANT(I, 1, (1), 2), CONSTANT(I, 1, (1), 2)},
     F,
     "Invalid begin and size."},
    {kTfLiteBuiltinSum, &kReducer, {INPUT(F, 2, 2, 3), CONSTANT(I, 1, (1), -3)}, F, "Invalid axis index."},
    {kTfLiteBuiltinCumsum, &kCumsum, {INPUT(F, 2, 2, 3), CONSTANT(I, 0, (0), 2)}, F, "Invalid axis value."},
    {kTfLiteBuiltinGather,
     &kGather,
     {INPUT(F, 1, 5), CONSTANT(I, 1, (1), 7)},
     F,
     "gather index out of bounds"},
    {kTfLiteBuiltinGatherNd,
     NULL,
     {INPUT(F, 1, 5), CONSTANT(I, 1, (2), 0, 0)},
     F,
     "Index innermost dimension length must be in [0, params rank]."},
    {kTfLiteBuiltinEmbeddingLookup,
     NULL,
     {CONSTANT(I, 1, (1), 3), CONSTANT(F, 2, (3, 1), 0, 0, 0)},
     F,
     "Embedding Lookup: index out of bounds. Got 3, and bounds are [0, 2]"},
    {kTfLiteBuiltinMaxPool2d, &kPool, {INPUT(F, 3, 2, 2, 1)}, F, "NumDimensions(input) != 4 (3 != 4)"},
    {kTfLiteBuiltinAveragePool2d,
     &kPool,
     {INPUT(I, 4, 1, 2, 2, 1)},
     I,
     "Type INT32 not currently supported."},
    {kTfLiteBuiltinSoftmax,
     &kSoftmax,
     {INPUT(I, 1, 2)},
     I,
     "Only float32, uint8_t, Int8_t, Int16_t are supported currently, got INT32."},
    {kTfLiteBuiltinConv2d,
     &kConv,
     {INPUT(F, 3, 2, 2, 1), CONSTANT(F, 4, (1, 1, 1, 1), 0), CONSTANT(F, 1, (1), 0)},
     F,
     "input->dims->size != 4 (3 != 4)"},
    {kTfLiteBuiltinConv2d,
     &kConv,
     {INPUT(F, 4, 1, 2, 2, 1), CONSTANT(F, 4, (1, 1, 1, 1), 0), CONSTANT(F, 1, (2), 0, 0)},
     F,
     "NumElements(bias) != SizeOfDimension(filter, 0) (2 != 1)"},
    {kTfLiteBuiltinConv3d,
     &kConv3d,
     {INPUT(F, 4, 2, 2, 4, 1), INPUT(F, 4, 3, 2, 2, 1)},
     F,
     "input->dims->size != 5 (4 != 5)"},
    {kTfLiteBuiltinConv3d,
     &kConv3d,
     {INPUT(F, 5, 1, 2, 2, 4, 1), INPUT(F, 4, 3, 2, 2, 1)},
     F,
     "filter->dims->size != 5 (4 != 5)"},
    {kTfLiteBuiltinConv3d,
     &kConv3d,
     {INPUT(F, 5, 1, 2, 2, 4, 1), INPUT(F, 5, 1, 3, 2, 2, 2)},
     F,
     "input->dims->data[4] != filter->dims->data[3] (1 != 2)"},
    {kTfLiteBuiltinConv3d,
     &kConv3d,
     {INPUT(F, 5, 1, 2, 2, 4, 2), INPUT(F, 5, 1, 1, 1, 2, 1), INPUT(F, 1, 2)},
     F,
     "NumElements(bias) != SizeOfDimension(filter, 4) (2 != 1)"},
    {kTfLiteBuiltinConv3dTranspose,
     &kConv3d,
     {CONSTANT(I, 1, (5), 1, 2, 3, 4, 5), INPUT(F, 5, 1, 2, 2, 4, 1), INPUT(F, 5, 1, 3, 2, 2, 2)},
     F,
     "SizeOfDimension(input, 4) != SizeOfDimension(filter, 4) (2 != 1)"},
    {kTfLiteBuiltinFill,
     NULL,
     {CONSTANT(I, 1, (1), 2), INPUT(F, 1, 1)},
     F,
     "NumDimensions(value) != 0 (1 != 0)"},
    {kTfLiteBuiltinConcatenation,
     &kJoin,
     {INPUT(F, 2, 1, 2), INPUT(F, 1, 2)},
     F,
     "t->dims->size != t0->dims->size (1 != 2)"},
    {kTfLiteBuiltinAddN,
     NULL,
     {INPUT(F, 1, 2), INPUT(F, 1, 3)},
     F,
     "HaveSameShapes(input1, input) was not true."},
    {kTfLiteBuiltinPack,
     &kPack,
     {INPUT(F, 1, 2), INPUT(F, 1, 3)},
     F,
     "HaveSameShapes(input0, input) was not true."},
    {kTfLiteBuiltinFill,
     NULL,
     {CONSTANT(I, 1, (1), -2), INPUT(F, 0)},
     F,
     "Fill dimensions must be >= 0 got -2"},
    {kTfLiteBuiltinTile,
     NULL,
     {INPUT(F, 1, 2), CONSTANT(I, 1, (1), -1)},
     F,
     "Multipliers must be non-negative."},
    {kTfLiteBuiltinGatherNd,
     NULL,
     {INPUT(F, 1, 5), CONSTANT(I, 0, (), 0)},
     F,
     "Indices must be at least a vector."},
    {kTfLiteBuiltinScatterNd,
     NULL,
     {CONSTANT(I, 2, (1, 1), 4), INPUT(F, 1, 1), CONSTANT(I, 1, (1), 4)},
     F,
     "scatter_nd index out of bounds"},
    {kTfLiteBuiltinWhere, NULL, {INPUT(F, 0)}, kTfLiteInt64, "Where op requires condition w/ rank > 0"},
    {kTfLiteBuiltinReverseV2,
     NULL,
     {INPUT(F, 3, 2, 2, 2), CONSTANT(I, 1, (2), 0, 2)},
     F,
     "Non-contiguous `axes` not supported"},
    {kTfLiteBuiltinMirrorPad,
     &kMirror,
     {INPUT(F, 1, 2), CONSTANT(I, 2, (1, 2), -1, 0)},
     F,
     "MirrorPad paddings must be non-negative."},
    {kTfLiteBuiltinReshape, &kNegative, {INPUT(F, 1, 2)}, F, "output shape contains negative dimension"},
    {kTfLiteBuiltinDynamicUpdateSlice,
     NULL,
     {INPUT(F, 2, 2, 2), INPUT(F, 1, 1), INPUT(I, 1, 2)},
     F,
     "NumDimensions(update) == NumDimensions(operand) was not true."},
    {kTfLiteBuiltinDynamicUpdateSlice,
     NULL,
     {INPUT(F, 2, 2, 2), INPUT(F, 2, 1, 1), INPUT(I, 1, 1)},
     F,
     "SizeOfDimension(start_indices, 0) == NumDimensions(operand) was not true."},
    {kTfLiteBuiltinDynamicUpdateSlice,
     NULL,
     {INPUT(F, 1, 2), INPUT(F, 1, 3), INPUT(I, 1, 1)},
     F,
     "SizeOfDimension(update, i) <= SizeOfDimension(operand, i) was not true."},
    {kTfLiteBuiltinMaxPool2d,
     &kPool,
     {INPUT(F, 4, 1, 2, 2, 1)},
     I,
     "input->type != output->type (FLOAT32 != INT32)"},
};

static size_t bytes_of(const Tensor* tensor) {
    size_t count = sizeof(int32_t);
    for (int i = 0; i < tensor->rank; i++) count *= (size_t)tensor->dims[i];
    return count;
}

static void run(const Case* c) {
    ModelBuilder* b = builder_create();
    BuilderInts inputs = {0}, of_graph = {0};
    for (int i = 0; i < 3 && c->inputs[i].type != kTfLiteNoType; i++) {
        const Tensor* tensor = &c->inputs[i];
        BuilderTensor made = {.type = tensor->type, .rank = tensor->rank, .data = tensor->data};
        memcpy(made.dims, tensor->dims, sizeof tensor->dims);
        made.bytes = tensor->data != NULL ? bytes_of(tensor) : 0;
        inputs.values[inputs.count++] = builder_tensor(b, made);
        if (tensor->data == NULL) of_graph.values[of_graph.count++] = inputs.values[i];
    }
    const int y = typed_tensor(b, c->output, 1);
    builder_operator(b, (BuilderOperator){.code = c->code,
                                          .version = c->code == kTfLiteBuiltinBroadcastTo ? 2 : 1,
                                          .inputs = inputs,
                                          .outputs = INTS(y),
                                          .params = c->params});
    set_io(b, of_graph, INTS(y));
    Program p;
    program_open(&p, b, NULL);
    TfLiteStatus status = TfLiteInterpreterAllocateTensors(p.interpreter);
    if (status == kTfLiteOk) status = TfLiteInterpreterInvoke(p.interpreter);
    assert_int_equal(status, kTfLiteError);
    program_expect_message(&p, c->message);
    program_close(&p);
}

static void they_hold_the_references_words(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run(&cases[i]);
    }
}

// Of operators with another number of inputs or outputs than the cases have.
static void more_inputs_or_outputs(void** state) {
    (void)state;
    static const int32_t zero[] = {0}, one[] = {1};
    const BuilderTensor vector = {.type = I, .rank = 1, .dims = {1}, .data = zero, .bytes = 4};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 3), begin = builder_tensor(b, vector), stride = builder_tensor(b, vector);
    BuilderTensor last = vector;
    last.data = one;
    const int end = builder_tensor(b, last), y = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinStridedSlice, INTS(x, begin, end, stride), INTS(y), &kStrided);
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "stride value has to be non-zero");
    program_close(&p);

    static const TfLiteSplitParams halves = {.num_splits = 2};
    b = builder_create();
    const int axis = builder_tensor(b, (BuilderTensor){.type = I, .data = zero, .bytes = 4});
    const int five = float_tensor(b, 5), u = float_tensor(b, 1), v = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinSplit, INTS(axis, five), INTS(u, v), &halves);
    set_io(b, INTS(five), INTS(u, v));
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Not an even split");
    program_close(&p);

    b = builder_create();
    const int only = float_tensor(b, 1), sum = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(-1, only), INTS(sum), &kAdd);
    set_io(b, INTS(only), INTS(sum));
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Tensor at index 0 was optional but was expected");
    program_close(&p);
}

static void sizes(void** state) {
    (void)state;
    static const int huge[] = {1 << 30, 1 << 30, 1 << 2, 1 << 4};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, huge, 4), kTfLiteError);
    program_expect_message(&p, "BytesRequired number of elements overflowed.\n");
    program_close(&p);
}

static void collect(void* user_data, const char* format, va_list args) {
    char* text = user_data;
    vsnprintf(text + strlen(text), 1000 - strlen(text), format, args);
}

// What the reference's test of its C API compares as a whole.
static void models(void** state) {
    (void)state;
    char text[1000] = "", none[20];
    memset(none, 'c', sizeof none);
    assert_null(TfLiteModelCreateWithErrorReporter(none, sizeof none, collect, text));
    assert_string_equal(text, "The model is not a valid Flatbuffer buffer");
    text[0] = '\0';
    assert_null(TfLiteModelCreateFromFileWithErrorReporter("invalid/path/foo.tflite", collect, text));
    assert_int_equal(strncmp(text, "Could not open 'invalid/path/foo.tflite'", 40), 0);
    // With the identifier, but cut off.
    text[0] = '\0';
    memcpy(none, "\x10\0\0\0TFL3", 8);
    assert_null(TfLiteModelCreateWithErrorReporter(none, sizeof none, collect, text));
    assert_int_equal(strncmp(text, "The model is not a valid Flatbuffer buffer: ", 44), 0);
}

static void no_model(void) {
    assert_null(TfLiteModelCreate("no model", 8));
}

static void no_library(void) {
    const TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(absent_path());
    assert_null(TfLiteExternalDelegateCreate(&options));
}

static void short_copy(void) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
    const float value = 1;
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, &value, sizeof value), kTfLiteError);
    program_close(&p);
}

// What a program that has named no reporter finds on its standard error. The text lives until the next call.
static const char* logged(const char* variable, void (*act)(void)) {
    static char text[2048];
    FILE* file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    assert_true(before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    variable != NULL ? setenv("OCLITE_LOG", variable, 1) : unsetenv("OCLITE_LOG");
    act();
    unsetenv("OCLITE_LOG");
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void messages_that_nobody_asked_for(void** state) {
    (void)state;
    assert_string_equal(logged(NULL, no_model), "");
    assert_string_equal(logged("0", no_model), "");
    assert_string_equal(logged("yes", no_model), "");
    assert_string_equal(logged("1", no_model), "oclite: The model is not a valid Flatbuffer buffer\n");
    assert_string_equal(logged(NULL, short_copy), "");
    assert_string_equal(logged("1", short_copy), "oclite: tensor \"t0\": has 8 bytes, the buffer 4\n");
    assert_string_equal(logged(NULL, no_library), "");
    const char* said = logged("1", no_library);
    char expected[1100];
    snprintf(expected, sizeof expected, "oclite: %s\n", oclite_external_delegate_error());
    assert_string_equal(said, expected);
    assert_true(strlen(expected) > sizeof "oclite: /tmp");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_hold_the_references_words),
        cmocka_unit_test(more_inputs_or_outputs),
        cmocka_unit_test(sizes),
        cmocka_unit_test(models),
        cmocka_unit_test(messages_that_nobody_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
