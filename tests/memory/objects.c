// SPDX-License-Identifier: Apache-2.0
// The objects that programs, operators and delegates make, outside of any inference.
#include <stdlib.h>
#include <string.h>

#include "oclite/flexbuffers_writer.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"
#include "tests/memory/scenario.h"

// ---- Options and operators ----

static TfLiteStatus prepare_like_input(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    TfLiteIntArray* shape = TfLiteIntArrayCopy(input->dims);
    return shape == NULL ? kTfLiteError : context->ResizeTensor(context, output, shape);
}

static TfLiteStatus invoke_double(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    for (size_t i = 0; i < input->bytes / sizeof(float); i++) output->data.f[i] = 2 * input->data.f[i];
    return kTfLiteOk;
}

static const TfLiteRegistration doubling = {.prepare = prepare_like_input, .invoke = invoke_double};

static const TfLiteRegistration* find_builtin(void* user_data, TfLiteBuiltinOperator op, int version) {
    (void)version;
    return op == kTfLiteBuiltinAbs ? user_data : NULL;
}

static const TfLiteRegistration* find_custom(void* user_data, const char* op, int version) {
    (void)user_data, (void)op, (void)version;
    return NULL;
}

static const TfLiteRegistration_V2* find_builtin_v2(void* user_data, TfLiteBuiltinOperator op, int version) {
    (void)version;
    return op == kTfLiteBuiltinAbs ? user_data : NULL;
}

// Builds options by `fill`, and runs two ABS with them.
static bool run_with_options(bool (*fill)(TfLiteInterpreterOptions* options), bool only_selected) {
    size_t size;
    uint8_t* bytes = model_of_abs(&size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    bool complete = options != NULL && fill(options);
    TfLiteInterpreter* interpreter = NULL;
    if (complete) {
        interpreter = only_selected ? TfLiteInterpreterCreateWithSelectedOps(model, options)
                                    : TfLiteInterpreterCreate(model, options);
    }
    TfLiteInterpreterOptionsDelete(options);
    complete = TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk &&
               fill_input(TfLiteInterpreterGetInputTensor(interpreter, 0)) &&
               TfLiteInterpreterInvoke(interpreter) == kTfLiteOk;
    if (complete) observe_tensor(TfLiteInterpreterGetOutputTensor(interpreter, 0));
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    free(bytes);
    return complete;
}

static bool fill_registrations(TfLiteInterpreterOptions* options) {
    for (int i = 0; i < 20; i++) TfLiteInterpreterOptionsAddCustomOp(options, "Double", &doubling, 1, 1);
    TfLiteInterpreterOptionsAddBuiltinOp(options, kTfLiteBuiltinAbs, &doubling, 1, 9);
    return true;
}

static bool fill_resolver(TfLiteInterpreterOptions* options) {
    TfLiteInterpreterOptionsSetOpResolver(options, find_builtin, find_custom, (void*)(uintptr_t)&doubling);
    return true;
}

static bool fill_old_resolver(TfLiteInterpreterOptions* options) {
    static TfLiteRegistration_V2 registration;
    registration = (TfLiteRegistration_V2){.prepare = prepare_like_input, .invoke = invoke_double};
    TfLiteInterpreterOptionsSetOpResolverV2(options, find_builtin_v2, NULL, &registration);
    return true;
}

static bool run_registrations(const void* data) {
    (void)data;
    return run_with_options(fill_registrations, true);
}

static bool run_resolver(const void* data) {
    (void)data;
    return run_with_options(fill_resolver, true);
}

static bool run_old_resolver(const void* data) {
    (void)data;
    return run_with_options(fill_old_resolver, true);
}

static void* init_nothing(void* user_data, TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return user_data;
}

static void free_nothing(void* user_data, TfLiteOpaqueContext* context, void* data) {
    (void)user_data, (void)context, (void)data;
}

static TfLiteStatus node_nothing(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)user_data, (void)context, (void)node;
    return kTfLiteOk;
}

static bool run_operators(const void* data) {
    (void)data;
    int user_data = 0;
    TfLiteOperator* first = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "First", 1, &user_data);
    TfLiteOperator* second = TfLiteOperatorCreateWithData(kTfLiteBuiltinCustom, "Second", 1, &user_data);
    TfLiteRegistrationExternal* third = TfLiteRegistrationExternalCreate(kTfLiteBuiltinAbs, NULL, 1);
    const bool complete = first != NULL && second != NULL && third != NULL &&
                          TfLiteOperatorSetInitWithData(first, init_nothing) == kTfLiteOk &&
                          TfLiteOperatorSetFreeWithData(first, free_nothing) == kTfLiteOk &&
                          TfLiteOperatorSetPrepareWithData(first, node_nothing) == kTfLiteOk &&
                          TfLiteOperatorSetInvokeWithData(first, node_nothing) == kTfLiteOk;
    TfLiteOperatorDelete(first);
    TfLiteOperatorDelete(second);
    TfLiteRegistrationExternalDelete(third);
    return complete;
}

// ---- Arrays and tensors ----

static bool run_arrays(const void* data) {
    (void)data;
    TfLiteIntArray* ints = TfLiteIntArrayCreate(3);
    for (int i = 0; ints != NULL && i < 3; i++) ints->data[i] = i;
    TfLiteFloatArray* floats = TfLiteFloatArrayCreate(2);
    if (floats != NULL) floats->data[0] = floats->data[1] = 1;
    TfLiteIntArray* more_ints = TfLiteIntArrayCopy(ints);
    TfLiteFloatArray* more_floats = TfLiteFloatArrayCopy(floats);
    const bool complete = more_ints != NULL && more_floats != NULL;
    if (complete) require(TfLiteIntArrayEqual(ints, more_ints) == 1, "a copy that differs");
    TfLiteIntArrayFree(ints);
    TfLiteIntArrayFree(more_ints);
    TfLiteFloatArrayFree(floats);
    TfLiteFloatArrayFree(more_floats);
    return complete;
}

// A tensor with everything that a tensor can own is cloned.
static bool run_clone(const void* data) {
    (void)data;
    float contents[] = {1, 2};
    TfLiteIntArray* ints = TfLiteIntArrayCreate(1);
    TfLiteFloatArray* floats = TfLiteFloatArrayCreate(1);
    bool complete = ints != NULL && floats != NULL;
    if (complete) {
        ints->data[0] = 2;
        floats->data[0] = 0.5f;
        TfLiteAffineQuantization affine = {.scale = floats, .zero_point = ints};
        TfLiteDimensionMetadata metadata = {
            .format = kTfLiteDimSparseCSR, .array_segments = ints, .array_indices = ints};
        TfLiteSparsity sparsity = {ints, ints, &metadata, 1};
        TfLiteTensor tensor = {.type = kTfLiteFloat32,
                               .data = {.f = contents},
                               .bytes = sizeof contents,
                               .allocation_type = kTfLiteDynamic,
                               .dims = ints,
                               .dims_signature = ints,
                               .quantization = {kTfLiteAffineQuantization, &affine},
                               .sparsity = &sparsity};
        TfLiteTensor clone = TfLiteTensorClone(tensor);
        complete = clone.dims != NULL && TfLiteTensorCopy(&tensor, &clone) == kTfLiteOk;
        if (complete) observe_tensor(&clone);
        TfLiteTensorFree(&clone);
    }
    TfLiteIntArrayFree(ints);
    TfLiteFloatArrayFree(floats);
    return complete;
}

static bool run_resize(const void* data) {
    (void)data;
    TfLiteTensor tensor = {.type = kTfLiteUInt8, .allocation_type = kTfLiteDynamic};
    bool complete = TfLiteTensorRealloc(4, &tensor) == kTfLiteOk;
    if (complete) memcpy(tensor.data.raw, "1234", 4);
    complete = complete && TfLiteTensorResizeMaybeCopy(200, &tensor, true) == kTfLiteOk;
    if (complete) observe(tensor.data.raw, 4);
    complete = complete && TfLiteTensorResizeMaybeCopy(2000, &tensor, false) == kTfLiteOk;
    TfLiteTensorFree(&tensor);
    return complete;
}

static bool run_strings(const void* data) {
    (void)data;
    static const char* const texts[] = {"one", "twelve"};
    static const int lengths[] = {3, 6};
    TfLiteTensor tensor = {.type = kTfLiteString, .allocation_type = kTfLiteDynamic};
    TfLiteOpaqueTensor* opaque = (TfLiteOpaqueTensor*)&tensor;
    bool complete = TfLiteOpaqueTensorWriteStrings(opaque, texts, 2, lengths) == kTfLiteOk;
    const char* text;
    int length;
    if (complete) {
        require(TfLiteOpaqueTensorGetString(opaque, 1, &text, &length) == kTfLiteOk, "no second string");
        observe(text, (size_t)length);
        complete =
            TfLiteOpaqueTensorWriteString(opaque, text, length) == kTfLiteOk; // out of the tensor itself
    }
    // Where that failed the tensor holds what it held, or nothing.
    const int count = TfLiteOpaqueTensorGetStringCount(opaque);
    require(complete ? count == 1 : count == 2 || count <= 0, "strings of neither state");
    TfLiteTensorFree(&tensor);
    return complete;
}

static bool run_tensor_builder(const void* data) {
    (void)data;
    TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
    TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteFloat32);
    TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteDynamic);
    TfLiteOpaqueTensorBuilderSetData(builder, NULL);
    TfLiteOpaqueTensorBuilderDelete(builder);
    return builder != NULL;
}

// ---- Documents ----

static bool run_flexbuffers(const void* data) {
    (void)data;
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    // Maps in maps, of many keys.
    oclite_flex_begin_map(writer);
    for (int i = 0; i < 40; i++) {
        const char key[] = {(char)('a' + i / 10), (char)('0' + i % 10), 0};
        oclite_flex_write_key(writer, "text");
        oclite_flex_write_string(writer, key, 2);
        oclite_flex_write_key(writer, key);
        oclite_flex_begin_map(writer);
    }
    for (int i = 0; i < 41; i++) oclite_flex_end(writer);
    size_t size;
    const void* document = oclite_flex_finish(writer, &size);
    if (document != NULL) observe(document, size);
    oclite_flex_writer_delete(writer);
    return document != NULL;
}

// ---- Models and delegates ----

static bool run_bytes(const void* data) {
    (void)data;
    size_t size;
    uint8_t* bytes = model_with_variables(&size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    const bool complete = model != NULL;
    TfLiteModelDelete(model);
    free(bytes);
    return complete;
}

static bool run_with_delegate(TfLiteDelegate* delegate) {
    size_t size;
    uint8_t* bytes = model_of_abs(&size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
    bool complete = TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate) == kTfLiteOk;
    complete = complete && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk &&
               fill_input(TfLiteInterpreterGetInputTensor(interpreter, 0)) &&
               TfLiteInterpreterInvoke(interpreter) == kTfLiteOk;
    if (complete) observe_tensor(TfLiteInterpreterGetOutputTensor(interpreter, 0));
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    free(bytes);
    return complete;
}

// The plugin computes y = factor * x for the whole graph.
static bool run_external_delegate(const void* data) {
    (void)data;
    TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(plugin_path);
    TfLiteExternalDelegateOptionsInsert(&options, "factor", "1");
    TfLiteDelegate* delegate = TfLiteExternalDelegateCreate(&options);
    const bool complete = delegate != NULL && run_with_delegate(delegate);
    TfLiteExternalDelegateDelete(delegate);
    return complete;
}

static bool run_xnnpack_delegate(const void* data) {
    (void)data;
    TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
    options.weights_cache = TfLiteXNNPackDelegateWeightsCacheCreate();
    TfLiteDelegate* delegate = TfLiteXNNPackDelegateCreate(&options);
    const bool complete = options.weights_cache != NULL && delegate != NULL && run_with_delegate(delegate);
    TfLiteXNNPackDelegateDelete(delegate);
    TfLiteXNNPackDelegateWeightsCacheDelete(options.weights_cache);
    return complete;
}

static bool run_opencl_delegates(const void* data) {
    (void)data;
    const TfLiteGpuDelegateOptionsV2 v2 = TfLiteGpuDelegateOptionsV2Default();
    TfLiteDelegate* plain = oclite_opencl_delegate_create(NULL);
    TfLiteDelegate* text =
        oclite_opencl_delegate_create_from_string("min_nodes=2,deny=SOFTMAX+MEAN,allow=ADD");
    TfLiteDelegate* gpu = TfLiteGpuDelegateV2Create(&v2);
    const bool complete = plain != NULL && text != NULL && gpu != NULL;
    oclite_opencl_delegate_delete(plain);
    oclite_opencl_delegate_delete(text);
    TfLiteGpuDelegateV2Delete(gpu);
    return complete;
}

const Scenario object_scenarios[] = {
    {"operators", run_operators, NULL, kNoOpenCl},
    {"registrations", run_registrations, NULL, kNoOpenCl},
    {"resolver", run_resolver, NULL, kNoOpenCl},
    {"earlier resolver", run_old_resolver, NULL, kNoOpenCl},
    {"arrays", run_arrays, NULL, kNoOpenCl},
    {"clone of a tensor", run_clone, NULL, kNoOpenCl},
    {"size of a tensor", run_resize, NULL, kNoOpenCl},
    {"strings of a tensor", run_strings, NULL, kNoOpenCl},
    {"tensor builder", run_tensor_builder, NULL, kNoOpenCl},
    {"FlexBuffers", run_flexbuffers, NULL, kNoOpenCl},
    {"model in memory", run_bytes, NULL, kNoOpenCl},
    {"graph built by hand", run_built_graph, NULL, kNoOpenCl},
    {"model from its root", run_root_table, NULL, kNoOpenCl},
    {"external delegate", run_external_delegate, NULL, kNoOpenCl},
    {"XNNPACK delegate", run_xnnpack_delegate, NULL, kNoOpenCl},
    {"OpenCL delegates", run_opencl_delegates, NULL, kColdOpenCl},
};
const int object_scenario_count = sizeof object_scenarios / sizeof *object_scenarios;
