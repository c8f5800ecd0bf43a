// SPDX-License-Identifier: Apache-2.0
// The C listings of the guide's newest edition.
#include "tests/api/guide.h"

#include <math.h>
#include <stdlib.h>

#include "third_party/tensorflow/lite/c/c_api.h"
#include "third_party/tensorflow/lite/c/c_api_opaque.h"

GuideCalls guide_calls;

// "Create and register the operator": the type and the setters, as the guide declares them. They agree with
// the headers, or this file would not compile.

typedef struct TfLiteOperator TfLiteOperator;

void TfLiteOperatorSetInit(TfLiteOperator* operator,
                           void * (*init)(TfLiteOpaqueContext* context, const char* buffer, size_t length));
void TfLiteOperatorSetFree(TfLiteOperator* operator, void (*free)(TfLiteOpaqueContext* context, void* data));
void TfLiteOperatorSetPrepare(TfLiteOperator* operator,
                              TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
void TfLiteOperatorSetInvoke(TfLiteOperator* operator,
                             TfLiteStatus (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
void TfLiteOperatorSetAsyncKernel(TfLiteOperator* operator, struct TfLiteAsyncKernel *
                                  (*async_kernel)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));

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

    float* input_data = (float*)(TfLiteOpaqueTensorData(input));
    float* output_data = (float*)(TfLiteOpaqueTensorData(output));

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

static TfLiteOperator* AtanOpCreate(void) {
    TfLiteOperator* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "ATAN", /*version=*/1);
    TfLiteOperatorSetPrepare(r, AtanPrepare);
    TfLiteOperatorSetInvoke(r, AtanEval);
    return r;
}

static TfLiteOperator* AtanOperator(void) {
    // Singleton instance, intentionally never destroyed.
    static TfLiteOperator* atan_op = NULL;
    if (atan_op == NULL) atan_op = AtanOpCreate();
    return atan_op;
}

// "Create and register the operator": the methods' signatures. Here a node's state is memory from malloc.

// Initializes the op from serialized data.
static void* Init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)buffer;
    (void)length;
    guide_calls.init++;
    return malloc(1);
}

// Deallocates the op.
// The pointer `buffer` is the data previously returned by an Init invocation.
static void Free(TfLiteOpaqueContext* context, void* buffer) {
    (void)context;
    guide_calls.free++;
    free(buffer);
}

// Called when the inputs that this node depends on have been resized.
static TfLiteStatus Prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.prepare++;
    TF_LITE_OPAQUE_ENSURE(context, TfLiteOpaqueNodeGetUserData(node) != NULL);
    return AtanPrepare(context, node);
}

// Called when the node is executed. (Should read node inputs and write to
// node outputs).
static TfLiteStatus Invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.invoke++;
    TF_LITE_OPAQUE_ENSURE(context, TfLiteOpaqueNodeGetUserData(node) != NULL);
    return AtanEval(context, node);
}

// Retrieves the async kernel.
static TfLiteAsyncKernel* AsyncKernel(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    (void)node;
    return NULL;
}

TfLiteOperator* guide_c_methods(void) {
    static TfLiteOperator* op = NULL;
    if (op != NULL) return op;
    op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, // Normally `TfLiteBuiltinCustom`.
                              "Atan",               // The name of the custom op.
                              1                     // Normally `1` for the first version of a custom op.
    );
    TfLiteOperatorSetInit(op, Init);
    TfLiteOperatorSetFree(op, Free);
    TfLiteOperatorSetPrepare(op, Prepare);
    TfLiteOperatorSetInvoke(op, Invoke);
    TfLiteOperatorSetAsyncKernel(op, AsyncKernel);
    return op;
}

// "Create and register the operator": names with a prefix, and MyCustomOp.

static void* MyCustomOpInit(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    return Init(context, buffer, length);
}
static void MyCustomOpFree(TfLiteOpaqueContext* context, void* buffer) {
    Free(context, buffer);
}
static TfLiteStatus MyCustomOpPrepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return Prepare(context, node);
}
static TfLiteStatus MyCustomOpInvoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return Invoke(context, node);
}

static TfLiteOperator* MyCustomOpCreate(void) {
    TfLiteOperator* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "MyCustomOp", /*version=*/1);
    TfLiteOperatorSetInit(r, MyCustomOpInit);
    TfLiteOperatorSetFree(r, MyCustomOpFree);
    TfLiteOperatorSetPrepare(r, MyCustomOpPrepare);
    TfLiteOperatorSetInvoke(r, MyCustomOpInvoke);
    return r;
}

static TfLiteOperator* MyCustomOperator(void) {
    // Singleton instance, intentionally never destroyed.
    static TfLiteOperator* my_custom_op = NULL;
    if (my_custom_op == NULL) my_custom_op = MyCustomOpCreate();
    return my_custom_op;
}

// For the tests.

TfLiteOperator* guide_c_custom(void) {
    return MyCustomOperator();
}

TfLiteOperator* guide_c_atan(void) {
    return AtanOperator();
}
