// SPDX-License-Identifier: Apache-2.0
// c_api_opaque.h over a context that this test makes itself, as a foreign runtime would hand it to the
// delegate plugin: only the public structs and callbacks are there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/cmocka_setup.h"

enum { kTensors = 4 };

// A runtime with a few tensors and one node: inputs 0 and absent, output 1.
typedef struct Host {
    TfLiteContext context; // first: the callbacks get it
    TfLiteTensor tensors[kTensors];
    TfLiteNode node;
    char message[256];
    int resized; // index of the tensor that ResizeTensor was called for
} Host;

static TfLiteOpaqueContext* context_of(Host* host) {
    return (TfLiteOpaqueContext*)&host->context;
}
static TfLiteOpaqueNode* node_of(Host* host) {
    return (TfLiteOpaqueNode*)&host->node;
}
static TfLiteOpaqueTensor* tensor_of(Host* host, int index) {
    return (TfLiteOpaqueTensor*)&host->tensors[index];
}

static void report_error(TfLiteContext* context, const char* format, ...) {
    Host* host = (Host*)context;
    va_list args;
    va_start(args, format);
    vsnprintf(host->message, sizeof host->message, format, args);
    va_end(args);
}

static TfLiteStatus resize_tensor(TfLiteContext* context, TfLiteTensor* tensor, TfLiteIntArray* new_size) {
    ((Host*)context)->resized = (int)(tensor - context->tensors);
    TfLiteIntArrayFree(tensor->dims);
    tensor->dims = new_size;
    return kTfLiteOk;
}

static TfLiteStatus add_tensors(TfLiteContext* context, int count, int* first) {
    if (context->tensors_size + (size_t)count > kTensors) return kTfLiteError;
    *first = (int)context->tensors_size;
    context->tensors_size += (size_t)count;
    return kTfLiteOk;
}

static TfLiteIntArray* ints(int size, int first, int second) {
    TfLiteIntArray* array = TfLiteIntArrayCreate(size);
    if (size > 0) array->data[0] = first;
    if (size > 1) array->data[1] = second;
    return array;
}

static int set_up(void** state) {
    Host* host = calloc(1, sizeof *host);
    host->context.tensors = host->tensors;
    host->context.tensors_size = 3;
    host->context.ReportError = report_error;
    host->context.ResizeTensor = resize_tensor;
    host->context.AddTensors = add_tensors;
    host->context.recommended_num_threads = 3;
    host->node.inputs = ints(2, 0, kTfLiteOptionalTensor);
    host->node.outputs = ints(1, 1, 0);
    host->tensors[0] =
        (TfLiteTensor){.type = kTfLiteFloat32, .bytes = 8, .name = "input", .is_variable = true};
    host->tensors[0].dims = ints(2, 1, 2);
    host->tensors[0].allocation_type = kTfLiteArenaRw;
    host->tensors[2].type = kTfLiteString;
    host->resized = -1;
    *state = host;
    return 0;
}

static int tear_down(void** state) {
    Host* host = *state;
    for (int i = 0; i < kTensors; i++) TfLiteTensorFree(&host->tensors[i]);
    TfLiteIntArrayFree(host->node.inputs);
    TfLiteIntArrayFree(host->node.outputs);
    TfLiteIntArrayFree(host->node.temporaries);
    free(host);
    return 0;
}

static void tensor_accessors(void** state) {
    Host* host = *state;
    float data[2] = {1.0f, 2.0f}, out[2];
    host->tensors[0].data.f = data;
    const TfLiteOpaqueTensor* t = tensor_of(host, 0);
    assert_int_equal(TfLiteOpaqueTensorType(t), kTfLiteFloat32);
    assert_int_equal(TfLiteTensorType(t), kTfLiteFloat32);
    assert_int_equal(TfLiteTensorType(&host->tensors[0]), kTfLiteFloat32);
    assert_int_equal(TfLiteOpaqueTensorNumDims(t), 2);
    assert_int_equal(TfLiteOpaqueTensorNumDimensions(t), 2);
    assert_int_equal(TfLiteOpaqueTensorDim(t, 1), 2);
    assert_int_equal(TfLiteOpaqueTensorDim(t, 2), -1);
    assert_int_equal(TfLiteOpaqueTensorDim(t, -1), -1);
    assert_int_equal(TfLiteOpaqueTensorByteSize(t), 8);
    assert_ptr_equal(TfLiteOpaqueTensorData(t), data);
    assert_ptr_equal(TfLiteTensorData(t), data);
    assert_ptr_equal(TfLiteTensorData(&host->tensors[0]), data);
    assert_string_equal(TfLiteOpaqueTensorName(t), "input");
    assert_int_equal(TfLiteOpaqueTensorIsVariable(t), 1);
    assert_int_equal(TfLiteOpaqueTensorGetAllocationType(t), kTfLiteArenaRw);
    assert_int_equal(TfLiteTensorGetAllocationType(t), kTfLiteArenaRw);
    assert_int_equal(TfLiteOpaqueTensorGetAllocationStrategy(t), kTfLiteAllocationStrategyArena);
    assert_int_equal(TfLiteOpaqueTensorGetShapeKnownStep(t), kTfLiteRunStepPrepare);
    assert_int_equal(TfLiteOpaqueTensorGetQuantization(t).type, kTfLiteNoQuantization);
    assert_int_equal(TfLiteOpaqueTensorCopyToBuffer(t, out, 8), kTfLiteOk);
    assert_true(out[1] == 2.0f);
    assert_int_equal(TfLiteOpaqueTensorCopyToBuffer(t, out, 4), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorCopyFromBuffer(tensor_of(host, 0), NULL, 8), kTfLiteError);
    host->tensors[0].allocation_type = kTfLiteMmapRo;
    assert_int_equal(TfLiteOpaqueTensorCopyFromBuffer(tensor_of(host, 0), out, 8), kTfLiteError);
    host->tensors[0].data.raw = NULL;
    assert_int_equal(TfLiteOpaqueTensorCopyToBuffer(t, out, 8), kTfLiteError);
}

static void tensor_signature(void** state) {
    Host* host = *state;
    int32_t value = 0;
    const TfLiteOpaqueTensor* t = tensor_of(host, 0);
    assert_int_equal(TfLiteOpaqueTensorGetNumDimsSignature(t, &value), kTfLiteOk);
    assert_int_equal(value, -1);
    assert_int_equal(TfLiteOpaqueTensorGetDimSignature(t, 0, &value), kTfLiteOk);
    assert_int_equal(value, TfLiteOpaqueTensorDim(t, 0));
    host->tensors[0].dims_signature = ints(2, -1, 2);
    assert_int_equal(TfLiteOpaqueTensorGetNumDimsSignature(t, &value), kTfLiteOk);
    assert_int_equal(value, 2);
    assert_int_equal(TfLiteOpaqueTensorGetDimSignature(t, 1, &value), kTfLiteOk);
    assert_int_equal(value, 2);
    assert_int_equal(TfLiteOpaqueTensorGetDimSignature(t, 2, &value), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorGetNumDimsSignature(t, NULL), kTfLiteError);
}

static void nothing_given(void** state) {
    (void)state;
    const int* list;
    int count;
    size_t bytes;
    TfLiteOperator* op;
    TfLiteOpaqueNode* node;
    TfLiteIntArray* plan;
    assert_int_equal(TfLiteOpaqueTensorType(NULL), kTfLiteNoType);
    assert_int_equal(TfLiteOpaqueTensorNumDims(NULL), -1);
    assert_int_equal(TfLiteOpaqueTensorDim(NULL, 0), -1);
    assert_int_equal(TfLiteOpaqueTensorByteSize(NULL), 0);
    assert_null(TfLiteOpaqueTensorData(NULL));
    assert_null(TfLiteOpaqueTensorName(NULL));
    assert_int_equal(TfLiteOpaqueTensorGetStringCount(NULL), -1);
    assert_int_equal(TfLiteOpaqueTensorWriteString(NULL, "a", 1), kTfLiteError);
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(NULL);
    TfLiteOpaqueTensorSetNonCpuAllocation(NULL);
    assert_null(TfLiteOpaqueTensorBuilderSetType(NULL, kTfLiteInt8));
    TfLiteOpaqueTensorBuilderDelete(NULL);
    assert_int_equal(TfLiteOpaqueNodeNumberOfInputs(NULL), 0);
    assert_int_equal(TfLiteOpaqueNodeGetInputTensorIndex(NULL, 0), -1);
    assert_int_equal(TfLiteOpaqueNodeInputs(NULL, &list, &count), kTfLiteError);
    assert_int_equal(TfLiteOpaqueNodeSetTemporaries(NULL, NULL, 0), kTfLiteError);
    assert_null(TfLiteOpaqueNodeGetUserData(NULL));
    assert_null(TfLiteOpaqueContextGetOpaqueTensor(NULL, 0));
    assert_int_equal(TfLiteOpaqueContextGetNumTensors(NULL), 0);
    assert_int_equal(TfLiteOpaqueContextGetNumNodes(NULL), 0);
    assert_null(TfLiteOpaqueContextGetName(NULL));
    assert_int_equal(TfLiteOpaqueContextGetInputs(NULL, &list, &count), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextResizeTensor(NULL, NULL, TfLiteIntArrayCreate(1)), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextGetExecutionPlan(NULL, &plan), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextGetNodeAndRegistration(NULL, 0, &node, &op), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextAddTensor(NULL, NULL, NULL), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextGetSizeOfType(NULL, kTfLiteString, &bytes), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextReleaseSubgraphContext(NULL, 0), kTfLiteError);
    TfLiteOpaqueContextReportError(NULL, "nobody hears this");
    assert_int_equal(oclite_context_num_threads(NULL), 1);
}

static void nodes(void** state) {
    Host* host = *state;
    TfLiteOpaqueContext* context = context_of(host);
    TfLiteOpaqueNode* node = node_of(host);
    assert_int_equal(TfLiteOpaqueNodeNumberOfInputs(node), 2);
    assert_int_equal(TfLiteOpaqueNodeNumInputs(node), 2);
    assert_int_equal(TfLiteOpaqueNodeNumberOfOutputs(node), 1);
    assert_int_equal(TfLiteOpaqueNodeNumOutputs(node), 1);
    assert_ptr_equal(TfLiteOpaqueNodeGetInput(context, node, 0), &host->tensors[0]);
    assert_null(TfLiteOpaqueNodeGetInput(context, node, 1)); // absent
    assert_null(TfLiteOpaqueNodeGetInput(context, node, 2));
    assert_null(TfLiteOpaqueNodeGetInput(context, node, -1));
    assert_ptr_equal(TfLiteOpaqueNodeGetOutput(context, node, 0), &host->tensors[1]);
    assert_null(TfLiteOpaqueNodeGetOutput(context, node, 1));
    assert_int_equal(TfLiteOpaqueNodeGetOutputTensorIndex(node, 0), 1);
    host->node.inputs->data[0] = 99; // no such tensor
    assert_null(TfLiteOpaqueNodeGetInput(context, node, 0));

    const int* list;
    int count;
    assert_int_equal(TfLiteOpaqueNodeOutputs(node, &list, &count), kTfLiteOk);
    assert_int_equal(count, 1);
    assert_int_equal(list[0], 1);
    assert_int_equal(TfLiteOpaqueNodeTemporaries(node, &list, &count), kTfLiteOk);
    assert_int_equal(count, 0);
    const int temporaries[] = {2, 1};
    assert_int_equal(TfLiteOpaqueNodeSetTemporaries(node, temporaries, 2), kTfLiteOk);
    assert_int_equal(TfLiteOpaqueNodeSetTemporaries(node, temporaries, -1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueNodeSetTemporaries(node, NULL, 1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueNodeTemporaries(node, &list, &count), kTfLiteOk);
    assert_int_equal(count, 2);
    assert_int_equal(list[0], 2);
    assert_int_equal(TfLiteOpaqueNodeSetTemporaries(node, NULL, 0), kTfLiteOk);
}

static void context_functions(void** state) {
    Host* host = *state;
    TfLiteOpaqueContext* context = context_of(host);
    assert_int_equal(TfLiteOpaqueContextGetNumTensors(context), 3);
    assert_null(TfLiteOpaqueContextGetOpaqueTensor(context, 3));
    assert_null(TfLiteOpaqueContextGetOpaqueTensor(context, -1));
    assert_int_equal(TfLiteOpaqueContextResizeTensor(context, tensor_of(host, 1), ints(1, 5, 0)), kTfLiteOk);
    assert_int_equal(host->resized, 1);
    assert_int_equal(TfLiteOpaqueTensorDim(tensor_of(host, 1), 0), 5);
    assert_int_equal(oclite_context_num_threads(context), 3);
    host->context.recommended_num_threads = -1;
    assert_int_equal(oclite_context_num_threads(context), 1);

    size_t bytes = 0;
    assert_int_equal(TfLiteOpaqueContextGetSizeOfType(context, kTfLiteInt64, &bytes), kTfLiteOk);
    assert_int_equal(bytes, 8);
    assert_int_equal(TfLiteOpaqueContextGetSizeOfType(context, kTfLiteInt4, &bytes), kTfLiteOk);
    assert_int_equal(bytes, 1);
    assert_int_equal(TfLiteOpaqueContextGetSizeOfType(context, kTfLiteString, &bytes), kTfLiteError);
    assert_non_null(strstr(host->message, "STRING"));

    // What this runtime does not offer is an error.
    TfLiteIntArray* plan;
    void* external;
    TfLiteOpaqueContext* other;
    const char* text;
    assert_int_equal(TfLiteOpaqueContextGetExecutionPlan(context, &plan), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextGetExternalContext(context, &external, kTfLiteEigenContext),
                     kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextAcquireSubgraphContext(context, 0, &other), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextGetMetadata(context, "name", &text, &bytes), kTfLiteError);
}

static void added_tensors(void** state) {
    Host* host = *state;
    TfLiteOpaqueContext* context = context_of(host);
    TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
    assert_ptr_equal(TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteInt16), builder);
    int index = -1;
    TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteMmapRo);
    assert_int_equal(TfLiteOpaqueContextAddTensor(context, builder, &index), kTfLiteError);
    TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteDynamic);
    assert_int_equal(TfLiteOpaqueContextAddTensor(context, builder, &index), kTfLiteError);
    TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
    TfLiteOpaqueTensorBuilderSetData(builder, &index);
    assert_int_equal(TfLiteOpaqueContextAddTensor(context, builder, &index), kTfLiteError);
    TfLiteOpaqueTensorBuilderSetData(builder, NULL);
    TfLiteOpaqueTensorBuilderSetQuantizationParams(builder, (TfLiteQuantizationParams){0.5f, 2});
    assert_int_equal(index, -1);
    assert_int_equal(TfLiteOpaqueContextAddTensor(context, builder, &index), kTfLiteOk);
    assert_int_equal(index, 3);
    const TfLiteOpaqueTensor* added = TfLiteOpaqueContextGetOpaqueTensor(context, index);
    assert_int_equal(TfLiteOpaqueTensorType(added), kTfLiteInt16);
    assert_int_equal(TfLiteOpaqueTensorGetQuantizationParams(added).zero_point, 2);
    assert_int_equal(TfLiteOpaqueContextAddTensor(context, builder, NULL),
                     kTfLiteError); // the runtime is full
    TfLiteOpaqueTensorBuilderDelete(builder);
}

static void strings(void** state) {
    Host* host = *state;
    TfLiteOpaqueTensor* t = tensor_of(host, 2);
    const char* const texts[] = {"one", "", "three\0!", NULL};
    const int lengths[] = {3, 0, 7, 0};
    const char* text;
    int length;
    assert_int_equal(TfLiteOpaqueTensorGetStringCount(t), 0);
    assert_int_equal(TfLiteOpaqueTensorWriteStrings(t, texts, 4, lengths), kTfLiteOk);
    assert_int_equal(TfLiteOpaqueTensorGetStringCount(t), 4);
    assert_int_equal(TfLiteOpaqueTensorNumDims(t), 1);
    assert_int_equal(TfLiteOpaqueTensorDim(t, 0), 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(TfLiteOpaqueTensorGetString(t, i, &text, &length), kTfLiteOk);
        assert_int_equal(length, lengths[i]);
        if (length > 0) assert_memory_equal(text, texts[i], (size_t)length);
    }
    assert_int_equal(TfLiteOpaqueTensorGetString(t, 4, &text, &length), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorGetString(t, -1, &text, &length), kTfLiteError);

    // A shape that holds as many strings stays; strings may come out of the tensor itself.
    TfLiteIntArrayFree(host->tensors[2].dims);
    host->tensors[2].dims = ints(2, 1, 1);
    assert_int_equal(TfLiteOpaqueTensorGetString(t, 2, &text, &length), kTfLiteOk);
    assert_int_equal(TfLiteOpaqueTensorWriteString(t, text, length), kTfLiteOk);
    assert_int_equal(TfLiteOpaqueTensorNumDims(t), 2);
    assert_int_equal(TfLiteOpaqueTensorGetString(t, 0, &text, &length), kTfLiteOk);
    assert_memory_equal(text, "three\0!", 7);

    assert_int_equal(TfLiteOpaqueTensorWriteStrings(t, NULL, 0, NULL), kTfLiteOk);
    assert_int_equal(TfLiteOpaqueTensorGetStringCount(t), 0);
    assert_int_equal(TfLiteOpaqueTensorWriteString(t, "a", -1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteString(t, NULL, 1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteStrings(t, NULL, -1, NULL), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteString(tensor_of(host, 0), "a", 1), kTfLiteError); // floats
}

static void malformed_strings(void** state) {
    Host* host = *state;
    TfLiteTensor* tensor = &host->tensors[2];
    const TfLiteOpaqueTensor* t = tensor_of(host, 2);
    const char* text;
    int length;
    static const struct {
        int32_t words[4];
        size_t bytes;
        int count;
    } cases[] = {
        {{0}, 3, -1},
        {{-1, 4}, 8, -1},
        {{2, 8}, 8, -1},
        {{INT32_MAX, 8}, 8, -1},
        {{1, 12, 17, 0}, 16, 1},
        {{1, 17, 12, 0}, 16, 1},
        {{1, -4, 12, 0}, 16, 1},
    };
    tensor->allocation_type = kTfLiteMmapRo;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tensor->data.i32 = (int32_t*)cases[i].words;
        tensor->bytes = cases[i].bytes;
        assert_int_equal(TfLiteOpaqueTensorGetStringCount(t), cases[i].count);
        assert_int_equal(TfLiteOpaqueTensorGetString(t, 0, &text, &length), kTfLiteError);
    }
    assert_int_equal(TfLiteOpaqueTensorWriteString(tensor_of(host, 2), "a", 1), kTfLiteError); // read-only
}

static void allocation_types(void** state) {
    Host* host = *state;
    host->tensors[0].data.raw = host->message;
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(tensor_of(host, 0));
    assert_int_equal(host->tensors[0].allocation_type, kTfLiteDynamic);
    assert_null(host->tensors[0].data.raw);
    assert_int_equal(TfLiteTensorRealloc(4, &host->tensors[0]), kTfLiteOk);
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(tensor_of(host, 0));
    assert_non_null(host->tensors[0].data.raw); // it was dynamic already
    TfLiteOpaqueTensorSetNonCpuAllocation(tensor_of(host, 0));
    assert_null(host->tensors[0].data.raw);
    assert_int_equal(host->tensors[0].allocation_type, kTfLiteNonCpu);
}

// One function per macro, since they return from where they stand.
#define CHECK(name, check)                                                                                   \
    static TfLiteStatus name(TfLiteOpaqueContext* context, TfLiteContext* plain) {                           \
        (void)context;                                                                                       \
        (void)plain;                                                                                         \
        check;                                                                                               \
        return kTfLiteOk;                                                                                    \
    }
CHECK(passes, TF_LITE_OPAQUE_ENSURE(context, 1 + 1 == 2); TF_LITE_OPAQUE_ENSURE_EQ(context, (size_t)2, 2u);
      TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, kTfLiteInt8, kTfLiteInt8);
      TF_LITE_OPAQUE_ENSURE_NEAR(context, 1, 3, 2); TF_LITE_OPAQUE_ENSURE_STATUS(kTfLiteOk);
      TF_LITE_OPAQUE_ENSURE_MSG(context, true, "never"); TF_LITE_ENSURE(plain, true);
      TF_LITE_ENSURE_EQ(plain, plain, plain); TF_LITE_ENSURE_OK(plain, kTfLiteOk);
      TF_LITE_ENSURE_NEAR(plain, 1.0f, 1.5, 0.5); TF_LITE_ENSURE_MSG(plain, 1, "never %d", 1))
CHECK(opaque_true, TF_LITE_OPAQUE_ENSURE(context, 1 > 2))
CHECK(opaque_eq, TF_LITE_OPAQUE_ENSURE_EQ(context, 3, (size_t)4))
CHECK(opaque_types, TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, kTfLiteInt8, kTfLiteFloat32))
CHECK(opaque_near, TF_LITE_OPAQUE_ENSURE_NEAR(context, 1, 10, 5))
CHECK(opaque_msg, TF_LITE_OPAQUE_ENSURE_MSG(context, false, "is %s", "wrong"))
CHECK(plain_true, TF_LITE_ENSURE(plain, 1 > 2))
CHECK(plain_eq, TF_LITE_ENSURE_EQ(plain, 3, 4))
CHECK(plain_types, TF_LITE_ENSURE_TYPES_EQ(plain, kTfLiteInt8, kTfLiteFloat32))
CHECK(plain_near, TF_LITE_ENSURE_NEAR(plain, 1.0, 10.0, 5.0))
CHECK(plain_msg, TF_LITE_ENSURE_MSG(plain, false, "is %s", "wrong"))
CHECK(maybe_log, TF_LITE_OPAQUE_MAYBE_KERNEL_LOG(context, "heard %d", 1); return kTfLiteError)
CHECK(plain_log, TF_LITE_MAYBE_KERNEL_LOG(plain, "heard %d", 1); return kTfLiteError)

static void ensure_macros(void** state) {
    Host* host = *state;
    static const struct {
        TfLiteStatus (*check)(TfLiteOpaqueContext* context, TfLiteContext* plain);
        const char* message;
    } cases[] = {
        {opaque_true, "1 > 2 was not true."},
        {opaque_eq, "3 != (size_t)4 (3 != 4)"},
        {opaque_types, "kTfLiteInt8 != kTfLiteFloat32 (INT8 != FLOAT32)"},
        {opaque_near, "1 not near 10 (1.000000 != 10.000000)"},
        {opaque_msg, "is wrong"},
        {plain_true, "1 > 2 was not true."},
        {plain_eq, "3 != 4 (3 != 4)"},
        {plain_types, "(INT8 != FLOAT32)"},
        {plain_near, "1.0 not near 10.0"},
        {plain_msg, "is wrong"},
        {maybe_log, "heard 1"},
        {plain_log, "heard 1"},
    };
    assert_int_equal(passes(context_of(host), &host->context), kTfLiteOk);
    assert_string_equal(host->message, "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        host->message[0] = '\0';
        assert_int_equal(cases[i].check(context_of(host), &host->context), kTfLiteError);
        if (strstr(host->message, cases[i].message) == NULL) fail_msg("'%s'", host->message);
    }
    TF_LITE_OPAQUE_MAYBE_KERNEL_LOG((TfLiteOpaqueContext*)NULL, "nobody hears this");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(tensor_accessors),  TEST(tensor_signature), TEST(nothing_given), TEST(nodes),
        TEST(context_functions), TEST(added_tensors),    TEST(strings),       TEST(malformed_strings),
        TEST(allocation_types),  TEST(ensure_macros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
