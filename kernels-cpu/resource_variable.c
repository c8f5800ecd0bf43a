// SPDX-License-Identifier: Apache-2.0
// VAR_HANDLE, ASSIGN_VARIABLE, READ_VARIABLE: variables by name, shared by all subgraphs of an interpreter.
#include <string.h>

#include "core/base/host.h"
#include "kernels-cpu/support/kernel.h"
#include "kernels-cpu/support/packed.h"
#include "kernels-cpu/support/resource.h"

typedef struct Variable {
    TfLiteType type;
    LiteShape shape;
    size_t bytes;
    void* data;
} Variable;

static void destroy_variable(void* object) {
    Variable* variable = object;
    if (variable != NULL) lite_free(variable->data);
    lite_free(variable);
}

static TfLiteStatus handle_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteVarHandleParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LITE_TRY(lite_kernel_check_counts(context, node, "VAR_HANDLE", 0, 0, 1));
    if (params == NULL) return lite_fail(context, "VAR_HANDLE: has no parameters");
    LiteResource* resource = lite_resource_get_named(&lite_host(context)->resources, kLiteResourceVariable,
                                                     params->container ? params->container : "",
                                                     params->shared_name ? params->shared_name : "");
    if (resource == NULL) return lite_fail(context, "VAR_HANDLE: out of memory");
    return lite_resource_write_handle(context, node, "VAR_HANDLE", resource->id);
}

static TfLiteStatus handle_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    (void)node; // the handle never changes
    return kTfLiteOk;
}

const LiteKernel lite_kernel_VAR_HANDLE = {.prepare = handle_prepare, .invoke = handle_invoke};

static TfLiteStatus assign_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView value;
    LITE_TRY(lite_kernel_check_counts(context, node, "ASSIGN_VARIABLE", 2, 2, 0));
    LITE_TRY(lite_resource_check_handle(context, node, "ASSIGN_VARIABLE"));
    LITE_TRY(lite_kernel_input(context, node, "ASSIGN_VARIABLE", 1, &value));
    if (lite_type_size(value.type) > 0 || lite_is_packed(value.type)) return kTfLiteOk;
    return lite_fail(context, "ASSIGN_VARIABLE: a variable cannot hold type %s",
                     TfLiteTypeGetName(value.type));
}

static TfLiteStatus assign_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView value;
    LiteResource* resource;
    LITE_TRY(lite_kernel_input(context, node, "ASSIGN_VARIABLE", 1, &value));
    LITE_TRY(lite_resource_read_handle(context, node, "ASSIGN_VARIABLE", kLiteResourceVariable, &resource));
    if (resource->object == NULL) {
        resource->object = lite_calloc(1, sizeof(Variable));
        resource->destroy = destroy_variable;
    }
    Variable* variable = resource->object;
    if (variable != NULL && (variable->data == NULL || variable->bytes != value.bytes)) {
        lite_free(variable->data);
        variable->bytes = 0;
        variable->data = lite_malloc(value.bytes);
    }
    if (variable == NULL || variable->data == NULL) {
        return lite_fail(context, "ASSIGN_VARIABLE: out of memory for %zu bytes", value.bytes);
    }
    variable->type = value.type;
    variable->shape = value.shape;
    variable->bytes = value.bytes;
    if (value.bytes > 0) memcpy(variable->data, value.data, value.bytes);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_ASSIGN_VARIABLE = {.prepare = assign_prepare, .invoke = assign_invoke};

// What the variable holds is known only when it is read.
static TfLiteStatus read_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView output;
    LITE_TRY(lite_kernel_check_counts(context, node, "READ_VARIABLE", 1, 1, 1));
    LITE_TRY(lite_resource_check_handle(context, node, "READ_VARIABLE"));
    LITE_TRY(lite_kernel_output(context, node, "READ_VARIABLE", 0, &output));
    lite_kernel_set_dynamic(output.tensor);
    return kTfLiteOk;
}

static TfLiteStatus read_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView output;
    LiteResource* resource;
    LITE_TRY(lite_resource_read_handle(context, node, "READ_VARIABLE", kLiteResourceVariable, &resource));
    const Variable* variable = resource->object;
    if (variable == NULL || variable->data == NULL) {
        return lite_fail(context, "READ_VARIABLE: variable '%s' is read before it is assigned",
                         resource->name + strlen(resource->name) + 1);
    }
    TfLiteOpaqueTensor* tensor = TfLiteOpaqueNodeGetOutput(context, node, 0);
    if (TfLiteOpaqueTensorType(tensor) != variable->type) {
        return lite_fail(context, "READ_VARIABLE: the output is of type %s, the variable of type %s",
                         TfLiteTypeGetName(TfLiteOpaqueTensorType(tensor)),
                         TfLiteTypeGetName(variable->type));
    }
    LITE_TRY(lite_kernel_resize(context, tensor, &variable->shape));
    LITE_TRY(lite_kernel_output(context, node, "READ_VARIABLE", 0, &output));
    if (output.bytes > 0) memcpy(output.data, variable->data, output.bytes);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_READ_VARIABLE = {.prepare = read_prepare, .invoke = read_invoke};
