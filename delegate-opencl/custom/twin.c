// SPDX-License-Identifier: Apache-2.0
// The CPU's twin of an operator that is a formula, as a TfLiteOperator of the opaque API.
#include "core/base/memory.h"
#include "delegate-opencl/custom/expression_value.h"
#include "delegate-opencl/custom/kernel.h"
#include "oclite/opencl_custom.h"
#include "tensorflow/lite/c/c_api_opaque.h"

// A node's options.
typedef struct State {
    double options[LITE_CL_CUSTOM_OPTIONS];
} State;

static void* init(void* user_data, TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    const LiteClCustom* custom = user_data;
    State* state = lite_calloc(1, sizeof *state);
    LiteClReason reason;
    if (state != NULL &&
        lite_cl_custom_options(&custom->declaration, buffer, length, state->options, &reason))
        return state;
    TfLiteOpaqueContextReportError(context, "%s: %s", custom->declaration.name,
                                   state != NULL ? reason.text : "out of memory");
    lite_free(state);
    return TfLiteKernelInitFailed();
}

static void free_state(void* user_data, TfLiteOpaqueContext* context, void* data) {
    (void)user_data, (void)context;
    if (data != TfLiteKernelInitFailed()) lite_free(data);
}

static void shape_of(const TfLiteOpaqueTensor* tensor, LiteShape* shape) {
    shape->rank = TfLiteOpaqueTensorNumDims(tensor);
    for (int d = 0; d < shape->rank && d < LITE_MAX_RANK; d++)
        shape->dims[d] = TfLiteOpaqueTensorDim(tensor, d);
}

static TfLiteStatus check_input(TfLiteOpaqueContext* context, const char* name, int index,
                                const TfLiteOpaqueTensor* input, const LiteShape* output) {
    LiteShape shape = {0};
    if (input == NULL) return lite_fail(context, "%s: input %d is absent", name, index);
    if (TfLiteOpaqueTensorType(input) != kTfLiteFloat32)
        return lite_fail(context, "%s: input %d is %s, not FLOAT32", name, index,
                         TfLiteTypeGetName(TfLiteOpaqueTensorType(input)));
    if (TfLiteOpaqueTensorNumDims(input) > LITE_MAX_RANK)
        return lite_fail(context, "%s: input %d has %d dimensions, at most %d are allowed", name, index,
                         TfLiteOpaqueTensorNumDims(input), LITE_MAX_RANK);
    shape_of(input, &shape);
    if (output == NULL || lite_shape_equal(&shape, output) || lite_shape_elements(&shape) == 1)
        return kTfLiteOk;
    return lite_fail(context, "%s: input %d has neither the output's shape nor one element", name, index);
}

static TfLiteStatus prepare(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const LiteClDeclaration* d = &((const LiteClCustom*)user_data)->declaration;
    const int inputs = TfLiteOpaqueNodeNumberOfInputs(node), outputs = TfLiteOpaqueNodeNumberOfOutputs(node);
    int8_t places[LITE_CL_CUSTOM_TENSORS];
    LiteClReason reason;
    if (!lite_cl_custom_places(d, inputs, outputs, places, &reason))
        return lite_fail(context, "%s: %s", d->name, reason.text);
    const int like = d->tensors[d->tensor_count - 1].like_shape;
    const TfLiteOpaqueTensor* model = TfLiteOpaqueNodeGetInput(context, node, like);
    LITE_TRY(check_input(context, d->name, like, model, NULL));
    LiteShape shape = {0};
    shape_of(model, &shape);
    for (int i = 0; i < inputs; i++)
        LITE_TRY(check_input(context, d->name, i, TfLiteOpaqueNodeGetInput(context, node, i), &shape));
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    if (output == NULL || TfLiteOpaqueTensorType(output) != kTfLiteFloat32)
        return lite_fail(context, "%s: the output is not FLOAT32", d->name);
    TfLiteIntArray* dims = TfLiteIntArrayCreate(shape.rank);
    if (dims == NULL) return lite_fail(context, "%s: out of memory", d->name);
    for (int i = 0; i < shape.rank; i++) dims->data[i] = shape.dims[i];
    return TfLiteOpaqueContextResizeTensor(context, output, dims);
}

static TfLiteStatus invoke(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const LiteClDeclaration* d = &((const LiteClCustom*)user_data)->declaration;
    const State* state = TfLiteOpaqueNodeGetUserData(node);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    float* results = TfLiteOpaqueTensorData(output);
    const size_t count = TfLiteOpaqueTensorByteSize(output) / sizeof(float);
    const float* inputs[LITE_CL_CUSTOM_INPUTS];
    float single[LITE_CL_CUSTOM_INPUTS][LITE_CL_FORMULA_BLOCK];
    size_t strides[LITE_CL_CUSTOM_INPUTS];
    const int input_count = TfLiteOpaqueNodeNumberOfInputs(node);
    for (int i = 0; i < input_count; i++) {
        const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, i);
        inputs[i] = TfLiteOpaqueTensorData(input);
        strides[i] = TfLiteOpaqueTensorByteSize(input) == sizeof(float) ? 0 : LITE_CL_FORMULA_BLOCK;
        if (strides[i] > 0 || inputs[i] == NULL) continue;
        for (int k = 0; k < LITE_CL_FORMULA_BLOCK; k++) single[i][k] = *inputs[i];
        inputs[i] = single[i];
    }
    for (size_t at = 0; at < count; at += LITE_CL_FORMULA_BLOCK) {
        const size_t left = count - at;
        const int block = left < LITE_CL_FORMULA_BLOCK ? (int)left : LITE_CL_FORMULA_BLOCK;
        lite_cl_expression_compute(&d->terms, d->formula, inputs, state->options, block, results + at);
        for (int i = 0; i < input_count; i++) inputs[i] += strides[i];
    }
    return kTfLiteOk;
}

TfLiteOperator* oclite_opencl_operator_cpu(const OcliteOpenclOperator* custom) {
    if (custom == NULL || custom->declaration.formula < 0) return NULL;
    // The functions only read it.
    TfLiteOperator* created =
        TfLiteOperatorCreate(kTfLiteBuiltinCustom, custom->declaration.name, 1, (void*)(uintptr_t)custom);
    if (created == NULL) return NULL;
    TfLiteOperatorSetInitWithData(created, init);
    TfLiteOperatorSetFreeWithData(created, free_state);
    TfLiteOperatorSetPrepareWithData(created, prepare);
    TfLiteOperatorSetInvokeWithData(created, invoke);
    return created;
}
