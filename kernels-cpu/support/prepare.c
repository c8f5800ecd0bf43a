// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/prepare.h"

#include "core/base/output_type.h"

// The type that the operator gives the output; kTfLiteNoType where it takes that of the model.
static TfLiteType given_type(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteOutputType from) {
    const TfLiteOpaqueTensor* input = lite_kernel_has_input(node, from.source)
                                          ? TfLiteOpaqueNodeGetInput(context, node, from.source)
                                          : NULL;
    return lite_output_type_given(from, input != NULL ? TfLiteOpaqueTensorType(input) : kTfLiteNoType,
                                  TfLiteOpaqueNodeGetBuiltinData(node));
}

// Variables keep their memory and type from run to run, and constants are what the model says.
static bool may_change(const TfLiteTensor* tensor) {
    return !tensor->is_variable &&
           (tensor->allocation_type == kTfLiteArenaRw || tensor->allocation_type == kTfLiteDynamic ||
            tensor->allocation_type == kTfLiteCustom);
}

static void set_type(TfLiteOpaqueTensor* output, TfLiteType type) {
    // The opaque tensor is the public one, of which the opaque API sets no type.
    TfLiteTensor* tensor = (TfLiteTensor*)(void*)output;
    if (tensor->type == type || type == kTfLiteNoType || !may_change(tensor)) return;
    if (type == kTfLiteString && tensor->allocation_type == kTfLiteCustom) return;
    // Its bytes follow when the kernel resizes it.
    tensor->type = type;
    if (type == kTfLiteString) lite_kernel_set_dynamic(output);
}

TfLiteStatus lite_kernel_prepare(const LiteKernel* kernel, int builtin_code, const char* custom_name,
                                 TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const int count = TfLiteOpaqueNodeNumberOfOutputs(node);
    for (int i = 0; i < count; i++) {
        const LiteOutputType from = lite_output_type(builtin_code, custom_name, i);
        if (from.source == kLiteTypeDeclared) break; // so are all outputs
        if (TfLiteOpaqueNodeGetOutputTensorIndex(node, i) < 0) continue;
        TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, i);
        if (output != NULL) set_type(output, given_type(context, node, from));
    }
    return kernel->prepare(context, node);
}
