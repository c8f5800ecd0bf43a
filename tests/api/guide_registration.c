// SPDX-License-Identifier: Apache-2.0
// The C listings of the guide's earlier editions.
#include "tests/api/guide.h"

#include <math.h>
#include <stdlib.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"

// "Create and register the operator": the functions, as the guide declares them. They agree with the headers,
// or this file would not compile. (The type is another name of TfLiteOperator today.)

TfLiteRegistrationExternal*
TfLiteRegistrationExternalCreate(TfLiteBuiltinOperator builtin_code, // Normally `TfLiteBuiltinCustom`.
                                 const char* custom_name,            // The name of the custom op.
                                 int version // Normally `1` for the first version of a custom op.
);
void TfLiteRegistrationExternalSetInit(TfLiteRegistrationExternal* registration,
                                       void* (*init)(TfLiteOpaqueContext* context, const char* buffer,
                                                     size_t length));
void TfLiteRegistrationExternalSetFree(TfLiteRegistrationExternal* registration,
                                       void (*free)(TfLiteOpaqueContext* context, void* data));
void TfLiteRegistrationExternalSetPrepare(TfLiteRegistrationExternal* registration,
                                          TfLiteStatus (*prepare)(TfLiteOpaqueContext* context,
                                                                  TfLiteOpaqueNode* node));
void TfLiteRegistrationExternalSetInvoke(TfLiteRegistrationExternal* registration,
                                         TfLiteStatus (*invoke)(TfLiteOpaqueContext* context,
                                                                TfLiteOpaqueNode* node));
void TfLiteRegistrationExternalSetAsyncKernel(
    TfLiteRegistrationExternal* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));

// "Define the kernel in the runtime": Atan.

static TfLiteStatus AtanPrepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumInputs(node), 1);
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumOutputs(node), 1);

    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);

    int num_dims = TfLiteOpaqueTensorNumDimensions(input);

    TfLiteIntArray* output_size = TfLiteIntArrayCreate(num_dims);
    for (int i = 0; i < num_dims; ++i) {
        output_size->data[i] = TfLiteOpaqueTensorDim(input, i);
    }

    return TfLiteOpaqueContextResizeTensor(context, output, output_size);
}

static TfLiteStatus AtanEval(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);

    float* input_data = TfLiteOpaqueTensorData(input);
    float* output_data = TfLiteOpaqueTensorData(output);

    size_t count = 1;
    int num_dims = TfLiteOpaqueTensorNumDimensions(input);
    for (int i = 0; i < num_dims; ++i) {
        count *= TfLiteOpaqueTensorDim(input, i);
    }

    for (size_t i = 0; i < count; ++i) {
        output_data[i] = atan(input_data[i]);
    }
    return kTfLiteOk;
}

static TfLiteRegistrationExternal* AtanOpCreate(void) {
    TfLiteRegistrationExternal* r =
        TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "ATAN", /*version=*/1);
    TfLiteRegistrationExternalSetPrepare(r, AtanPrepare);
    TfLiteRegistrationExternalSetInvoke(r, AtanEval);
    return r;
}

static TfLiteRegistrationExternal* AtanOpRegistrationExternal(void) {
    // Singleton instance, intentionally never destroyed.
    static TfLiteRegistrationExternal* atan_op = NULL;
    if (atan_op == NULL) atan_op = AtanOpCreate();
    return atan_op;
}

static const TfLiteRegistration AtanOpRegistration(void) {
    const TfLiteRegistration atan_op = {
        .registration_external = AtanOpRegistrationExternal(),
    };
    return atan_op;
}

// "Create and register the operator": names with a prefix, and MyCustomOp.

static void* MyCustomOpInit(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)buffer;
    (void)length;
    guide_calls.init++;
    return malloc(1);
}
static void MyCustomOpFree(TfLiteOpaqueContext* context, void* buffer) {
    (void)context;
    guide_calls.free++;
    free(buffer);
}
static TfLiteStatus MyCustomOpPrepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.prepare++;
    TF_LITE_OPAQUE_ENSURE(context, TfLiteOpaqueNodeGetUserData(node) != NULL);
    return AtanPrepare(context, node);
}
static TfLiteStatus MyCustomOpInvoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.invoke++;
    TF_LITE_OPAQUE_ENSURE(context, TfLiteOpaqueNodeGetUserData(node) != NULL);
    return AtanEval(context, node);
}

static TfLiteRegistrationExternal* MyCustomOpCreate(void) {
    TfLiteRegistrationExternal* r =
        TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "MyCustomOp", /*version=*/1);
    TfLiteRegistrationExternalSetInit(r, MyCustomOpInit);
    TfLiteRegistrationExternalSetFree(r, MyCustomOpFree);
    TfLiteRegistrationExternalSetPrepare(r, MyCustomOpPrepare);
    TfLiteRegistrationExternalSetInvoke(r, MyCustomOpInvoke);
    return r;
}

static TfLiteRegistrationExternal* MyCustomOpRegistrationExternal(void) {
    // Singleton instance, intentionally never destroyed.
    static TfLiteRegistrationExternal* my_custom_op = NULL;
    if (my_custom_op == NULL) my_custom_op = MyCustomOpCreate();
    return my_custom_op;
}

static const TfLiteRegistration MyCustomOpRegistration(void) {
    const TfLiteRegistration my_custom_op = {
        .registration_external = MyCustomOpRegistrationExternal(),
    };
    return my_custom_op;
}

// For the tests.

TfLiteRegistrationExternal* guide_c_custom_external(void) {
    return MyCustomOpRegistrationExternal();
}

TfLiteRegistrationExternal* guide_c_atan_external(void) {
    return AtanOpRegistrationExternal();
}

TfLiteRegistration guide_c_custom_registration(void) {
    return MyCustomOpRegistration();
}

TfLiteRegistration guide_c_atan_registration(void) {
    return AtanOpRegistration();
}
