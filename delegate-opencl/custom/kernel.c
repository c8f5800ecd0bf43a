// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/kernel.h"

#include <stdio.h>
#include <string.h>

#include "delegate-opencl/custom/expression_value.h"
#include "delegate-opencl/custom/signature.h"
#include "delegate-opencl/device/program.h"
#include "delegate-opencl/ops/common/chain.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/ops/registry.h"
#include "oclite/flexbuffers.h"

static const LiteClCustom* custom_of(const LiteClNode* node) {
    return (const LiteClCustom*)(const void*)node->op;
}

// ---- Options ----

// Returns false when there is no such value.
static bool find_value(OcliteFlex map, const LiteClOptionDecl* option, OcliteFlex* value) {
    return oclite_flex_map_find(map, option->key, value) &&
           (option->element < 0 || oclite_flex_vector_at(*value, (size_t)option->element, value));
}

static bool read_value(OcliteFlex flex, bool is_real, double* value) {
    const OcliteFlexKind kind = oclite_flex_kind(flex);
    int64_t whole;
    if (kind != kOcliteFlexInt && kind != kOcliteFlexUInt && kind != kOcliteFlexFloat &&
        kind != kOcliteFlexBool)
        return false;
    if (is_real) return oclite_flex_float(flex, value);
    if (kind == kOcliteFlexFloat || !oclite_flex_int(flex, &whole) || whole > (1LL << 53) ||
        whole < -(1LL << 53))
        return false;
    *value = (double)whole;
    return true;
}

// The option as it is in the map.
static bool read_option(OcliteFlex flex, const LiteClOptionDecl* option, bool is_real, double* value,
                        LiteClReason* reason) {
    const char* text;
    size_t length;
    if (option->words == NULL) {
        return read_value(flex, is_real, value) ||
               lite_cl_refuse(reason, "its option %s is no %s", option->key, is_real ? "number" : "integer");
    }
    const bool is_string =
        oclite_flex_kind(flex) == kOcliteFlexString && oclite_flex_string(flex, &text, &length);
    *value = is_string ? lite_cl_option_word(option, text, length) : -1;
    return *value >= 0 || lite_cl_refuse(reason, "its option %s is none of %.*s", option->key,
                                         option->words_length, option->words);
}

bool lite_cl_custom_options(const LiteClDeclaration* d, const void* bytes, size_t size, double* values,
                            LiteClReason* reason) {
    OcliteFlex map = {0}, value;
    const bool has_map = bytes != NULL && size > 0 && oclite_flex_root(bytes, size, &map) &&
                         oclite_flex_kind(map) == kOcliteFlexMap;
    for (int i = 0; i < d->option_count; i++) {
        const LiteClOptionDecl* option = &d->options[i];
        if (option->is_parameter) continue;
        values[i] = option->value;
        if (has_map && find_value(map, option, &value)) {
            if (!read_option(value, option, d->option_is_real[i], &values[i], reason)) return false;
            continue;
        }
        if (option->is_required) return lite_cl_refuse(reason, "its options have no %s", option->key);
    }
    return true;
}

// ---- Tensors ----

bool lite_cl_custom_places(const LiteClDeclaration* d, int input_count, int output_count, int8_t* places,
                           LiteClReason* reason) {
    int inputs = 0, outputs = 0, needed = 0;
    for (int i = 0; i < d->tensor_count; i++) {
        const LiteClTensorDecl* tensor = &d->tensors[i];
        places[i] = (int8_t)(tensor->is_output ? -1 - outputs++ : inputs++);
        needed += tensor->is_output || tensor->is_optional ? 0 : 1;
    }
    if (input_count >= needed && input_count <= inputs && output_count == outputs) return true;
    return lite_cl_refuse(reason, "%d inputs and %d outputs, declared are %d and %d", input_count,
                          output_count, inputs, outputs);
}

static LiteClTensor* tensor_at(const LiteClNode* node, int place) {
    if (place < 0) return node->outputs[-1 - place];
    return place < node->input_count ? node->inputs[place] : NULL;
}

// What sizes are computed of.
typedef struct Values {
    LiteClSizes sizes;
    int8_t places[LITE_CL_CUSTOM_TENSORS];
    double options[LITE_CL_CUSTOM_OPTIONS];
} Values;

// Reads fields of a builtin operator's parameters. The structs that are known consist of numbers of 4 bytes.
static bool find_parameters(const LiteClNode* node, Values* v, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    for (int i = 0; i < d->option_count; i++) {
        const size_t at = (size_t)d->options[i].element * sizeof(int32_t);
        if (!d->options[i].is_parameter) continue;
        if (node->params == NULL || at + sizeof(int32_t) > node->op->params_size)
            return lite_cl_refuse(reason, "it has no parameter %d", d->options[i].element);
        int32_t whole;
        float real;
        memcpy(&whole, (const char*)node->params + at, sizeof whole);
        memcpy(&real, (const char*)node->params + at, sizeof real);
        v->options[i] = d->option_is_real[i] ? (double)real : (double)whole;
    }
    return true;
}

static bool find_values(const LiteClNode* node, Values* v, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    v->sizes = (LiteClSizes){node, v->places, v->options};
    return find_parameters(node, v, reason) &&
           lite_cl_custom_places(d, node->input_count, node->output_count, v->places, reason) &&
           lite_cl_custom_options(d, node->custom_options, node->custom_size, v->options, reason);
}

static bool size_of(const LiteClDeclaration* d, int expression, const Values* v, const char* what,
                    int64_t* size, LiteClReason* reason) {
    const LiteClSizeFault fault = lite_cl_expression_size(&d->terms, expression, &v->sizes, size);
    return fault == kLiteClSizeFine || lite_cl_refuse(reason, "%s: %s", what, lite_cl_size_fault(fault));
}

static bool refuse_type(const LiteClNode* node, int index, TfLiteType type, LiteClReason* reason) {
    const LiteClCustom* custom = custom_of(node);
    char names[80] = "";
    for (unsigned left = custom->declaration.tensors[index].types; left != 0; left &= left - 1) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                 TfLiteTypeGetName((TfLiteType)__builtin_ctz(left)));
    }
    return lite_cl_refuse(reason, "%s is %s, which it is not declared to be: in %.40s it is %s",
                          custom->declaration.tensor_names[index], TfLiteTypeGetName(type), custom->file,
                          names);
}

static bool check(const LiteClNode* node, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    Values v;
    if (!find_values(node, &v, reason)) return false;
    for (int i = 0; i < d->tensor_count; i++) {
        const LiteClTensorDecl* declared = &d->tensors[i];
        const LiteClTensor* tensor = tensor_at(node, v.places[i]);
        if (tensor == NULL) continue;
        const LiteClTensor* like =
            declared->like_type >= 0 ? tensor_at(node, v.places[declared->like_type]) : NULL;
        const bool halved = node->as_float16 && tensor->type == kTfLiteFloat16;
        const unsigned type = 1u << (halved ? kTfLiteFloat32 : tensor->type);
        if (like != NULL && like->type != tensor->type)
            return lite_cl_refuse(reason, "%s is %s, which it is not declared to be: %s is %s",
                                  d->tensor_names[i], TfLiteTypeGetName(tensor->type),
                                  d->tensor_names[declared->like_type], TfLiteTypeGetName(like->type));
        if (like == NULL && (declared->types & type) == 0) return refuse_type(node, i, tensor->type, reason);
    }
    return true;
}

static bool output_shape(const LiteClNode* node, int index, const Values* v, LiteShape* shape,
                         LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    const LiteClTensorDecl* tensor = &d->tensors[index];
    if (tensor->like_shape >= 0) {
        const int place = v->places[tensor->like_shape];
        const LiteClTensor* like = tensor_at(node, place);
        if (like == NULL)
            return lite_cl_refuse(reason, "%s is absent, and gives a shape",
                                  d->tensor_names[tensor->like_shape]);
        *shape = place < 0 ? node->shapes[-1 - place] : like->shape;
        return true;
    }
    for (int i = 0; i < tensor->rank; i++) {
        int64_t length;
        if (!size_of(d, tensor->dims[i], v, d->tensor_names[index], &length, reason) ||
            !lite_cl_append_dim(shape, length, reason))
            return false;
    }
    return true;
}

static bool is_required(const LiteClDeclaration* d, int index, const Values* v, LiteClReason* reason) {
    int64_t is_true;
    if (!size_of(d, d->requirements[index], v, "require", &is_true, reason)) return false;
    if (is_true != 0) return true;
    const char* text = d->requirement_texts[index];
    return lite_cl_refuse(reason, "it requires %.*s", (int)strcspn(text, "\r\n"), text);
}

// Holds the value of an argument until it is set.
typedef union Scalar {
    cl_int whole;
    cl_long wide;
    cl_float real;
} Scalar;

static bool find_scalar(const LiteClNode* node, const LiteClArgumentDecl* declared, const Values* v,
                        Scalar* scalar, LiteClArgument* argument, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    int64_t size = 0;
    if (declared->kind == kLiteClArgumentFloat) {
        const LiteClTensor* tensor =
            declared->tensor >= 0 ? tensor_at(node, v->places[declared->tensor]) : NULL;
        scalar->real = declared->option >= 0 ? (float)v->options[declared->option] : declared->number;
        if (tensor != NULL) scalar->real = tensor->scale;
        *argument = (LiteClArgument){.storage = -1, .bytes = sizeof(cl_float), .value = scalar};
        return true;
    }
    if (!size_of(d, declared->size, v, "an argument", &size, reason)) return false;
    if (declared->kind == kLiteClArgumentLocal) {
        if (size < 1 || size > INT32_MAX)
            return lite_cl_refuse(reason, "local memory of %lld elements", (long long)size);
        *argument = (LiteClArgument){.storage = -1, .bytes = (size_t)size * declared->bytes};
        return true;
    }
    const bool is_wide = declared->kind == kLiteClArgumentLong;
    if (!is_wide && (size > INT32_MAX || size < INT32_MIN))
        return lite_cl_refuse(reason, "%lld as an int argument", (long long)size);
    if (is_wide) {
        scalar->wide = size;
    } else {
        scalar->whole = (cl_int)size;
    }
    *argument =
        (LiteClArgument){.storage = -1, .bytes = is_wide ? sizeof(cl_long) : sizeof(cl_int), .value = scalar};
    return true;
}

static bool find_grid(const LiteClDeclaration* d, const Values* v, LiteClLaunch* launch,
                      LiteClReason* reason) {
    for (int i = 0; i < 3; i++) {
        int64_t items = 1, group = 1;
        if (i < d->work_count && !size_of(d, d->work[i], v, "work", &items, reason)) return false;
        if (i < d->local_count && !size_of(d, d->local[i], v, "local", &group, reason)) return false;
        if (items < 0 || items > INT32_MAX || group < 1 || group > 1 << 16)
            return lite_cl_refuse(reason, "%lld items in groups of %lld", (long long)items, (long long)group);
        launch->items[i] = (size_t)items;
        launch->groups[i] = d->local_count > 0 ? (size_t)group : 0;
    }
    return true;
}

// Checks that what the launch will need can be computed.
static bool check_launch(const LiteClNode* node, const Values* v, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    Scalar scalar;
    LiteClArgument argument;
    LiteClLaunch launch;
    for (int i = 0; i < d->argument_count; i++) {
        const LiteClArgumentKind kind = d->arguments[i].kind;
        if (kind != kLiteClArgumentTensor && kind != kLiteClArgumentStatus &&
            !find_scalar(node, &d->arguments[i], v, &scalar, &argument, reason))
            return false;
    }
    return find_grid(d, v, &launch, reason);
}

// Inputs of a formula have the output's shape, or one element.
static bool check_formula_shapes(const LiteClNode* node, const LiteShape* output, LiteClReason* reason) {
    for (int i = 0; i < node->input_count; i++) {
        const LiteShape* shape = &node->inputs[i]->shape;
        if (!lite_shape_equal(shape, output) && lite_shape_elements(shape) != 1)
            return lite_cl_refuse(reason, "input %d has neither the output's shape nor one element", i);
    }
    return true;
}

static bool as_formula(const LiteClNode* node, LiteClFormula* formula) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    LiteClReason reason;
    Values v;
    if (!find_values(node, &v, &reason)) return false;
    formula->is_own = true;
    formula->option_count = d->option_count;
    for (int i = 0; i < d->option_count; i++) formula->options[i] = (float)v.options[i];
    return lite_cl_expression_print(&d->terms, d->formula, formula->text, sizeof formula->text);
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    Values v;
    if (!find_values(node, &v, reason)) return false;
    for (int i = 0; i < d->requirement_count; i++) {
        if (!is_required(d, i, &v, reason)) return false;
    }
    for (int i = 0; i < d->tensor_count; i++) {
        if (v.places[i] < 0 && !output_shape(node, i, &v, &outputs[-1 - v.places[i]], reason)) return false;
    }
    if (d->formula < 0) return check_launch(node, &v, reason);
    LiteClFormula formula;
    if (!as_formula(node, &formula)) return lite_cl_refuse(reason, "its formula is too long");
    return check_formula_shapes(node, outputs, reason);
}

// ---- Launches ----

static TfLiteType lowest_type(unsigned types) {
    return types == 0 ? kTfLiteFloat32 : (TfLiteType)__builtin_ctz(types);
}

// Does the text say TYPE_x of any of its tensors?
static bool names_types(const LiteClCustom* custom) {
    const LiteClDeclaration* d = &custom->declaration;
    char macro[LITE_CL_NAME + 8];
    for (int i = 0; i < d->tensor_count; i++) {
        snprintf(macro, sizeof macro, "TYPE_%s", d->tensor_names[i]);
        if (strstr(custom->source, macro) != NULL) return true;
    }
    return false;
}

// Defines TYPE_x for each tensor x: its type in the node, or, without a node, the first one declared. Where
// the text does not ask for it the program is the same for all of the types, and has to fit them all.
static void define_types(LiteClPrelude* prelude, const LiteClCustom* custom, const LiteClNode* node,
                         const int8_t* places, LiteClSignature* signature) {
    const LiteClDeclaration* d = &custom->declaration;
    const bool is_for_all = node == NULL && !names_types(custom);
    *signature = (LiteClSignature){.declaration = d, .file = custom->file, .source = custom->source};
    for (int i = 0; i < d->tensor_count; i++) {
        const LiteClTensorDecl* tensor = &d->tensors[i];
        const LiteClTensor* given = node != NULL ? tensor_at(node, places[i]) : NULL;
        const unsigned types = tensor->like_type >= 0 ? d->tensors[tensor->like_type].types : tensor->types;
        const TfLiteType type = given != NULL ? given->type : lowest_type(types);
        lite_cl_define(prelude, "TYPE_%s %s", d->tensor_names[i], lite_cl_signature_type(type));
        signature->types[i] = is_for_all && types != 0 ? types : 1u << type;
    }
}

// A tensor, or the plan's status. An absent tensor is a null pointer in the kernel.
static bool find_buffer(LiteClPlan* plan, const LiteClNode* node, const LiteClArgumentDecl* declared,
                        const Values* v, LiteClArgument* argument, LiteClReason* reason) {
    *argument = (LiteClArgument){.storage = -1, .bytes = sizeof(cl_mem)};
    if (declared->kind == kLiteClArgumentStatus) {
        argument->storage = lite_cl_plan_status(plan);
    } else {
        LiteClTensor* tensor = tensor_at(node, v->places[declared->tensor]);
        if (tensor == NULL) return true;
        argument->storage = lite_cl_plan_tensor(plan, tensor);
    }
    return argument->storage >= 0 || lite_cl_refuse(reason, "out of memory");
}

static bool find_launch(LiteClPlan* plan, const LiteClNode* node, const Values* v, Scalar* scalars,
                        LiteClArgument* arguments, LiteClLaunch* launch, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    for (int i = 0; i < d->argument_count; i++) {
        const LiteClArgumentDecl* declared = &d->arguments[i];
        LiteClArgument* argument = &arguments[launch->argument_count++];
        const bool is_status = declared->kind == kLiteClArgumentStatus;
        if (!is_status && declared->kind != kLiteClArgumentTensor) {
            if (!find_scalar(node, declared, v, &scalars[i], argument, reason)) return false;
            continue;
        }
        if (!find_buffer(plan, node, declared, v, argument, reason)) return false;
        if (!is_status) continue;
        scalars[i].whole = node->index + 1;
        arguments[launch->argument_count++] =
            (LiteClArgument){.storage = -1, .bytes = sizeof(cl_int), .value = &scalars[i]};
    }
    return find_grid(d, v, launch, reason);
}

// A buffer that a kernel has as __constant is limited. Which has one only the compiled program would say, so
// where the text names the word at all, all of its buffers are held to that.
static bool constants_fit(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    const char* source = custom_of(node)->source;
    if (strstr(source, "constant") == NULL) return true;
    for (int i = 0; i < node->input_count; i++) {
        const size_t bytes = node->inputs[i] != NULL ? lite_cl_tensor_bytes(node->inputs[i]) : 0;
        if (bytes > device->limits.constant)
            return lite_cl_refuse(
                reason,
                "input %d has %zu bytes, a __constant buffer %zu (CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE)", i,
                bytes, device->limits.constant);
    }
    return true;
}

static bool fits(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    const LiteClDeclaration* d = &custom_of(node)->declaration;
    Values v;
    Scalar scalar = {0};
    LiteClArgument arguments[LITE_CL_CUSTOM_ARGUMENTS + 1];
    LiteClLaunch launch = {.source = custom_of(node)->source, .arguments = arguments};
    if (d->formula >= 0) return true;
    // Nobody could check the declaration against the kernel.
    if (device->limits.version < 120)
        return lite_cl_refuse(reason, "a kernel of the program's own needs OpenCL 1.2, the device has 1.1");
    if (!find_values(node, &v, reason)) return false;
    for (int i = 0; i < d->argument_count; i++) {
        const LiteClArgumentKind kind = d->arguments[i].kind;
        LiteClArgument* argument = &arguments[launch.argument_count++];
        *argument = (LiteClArgument){.storage = 0};
        if (kind == kLiteClArgumentStatus)
            arguments[launch.argument_count++] = (LiteClArgument){-1, sizeof(cl_int), &scalar};
        else if (kind != kLiteClArgumentTensor &&
                 !find_scalar(node, &d->arguments[i], &v, &scalar, argument, reason))
            return false;
    }
    return find_grid(d, &v, &launch, reason) && lite_cl_launch_fits(device, &launch, reason) &&
           constants_fit(device, node, reason);
}

static TfLiteStatus lower_kernel(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClCustom* custom = custom_of(node);
    const LiteClDeclaration* d = &custom->declaration;
    LiteClReason reason;
    Values v;
    Scalar scalars[LITE_CL_CUSTOM_ARGUMENTS];
    LiteClArgument arguments[LITE_CL_CUSTOM_ARGUMENTS + 1]; // a status is two
    LiteClPrelude prelude = {0};
    LiteClSignature signature;
    LiteClLaunch launch = {.file = custom->file,
                           .source = custom->source,
                           .check = lite_cl_signature_check,
                           .user_data = &signature,
                           .kernel = d->kernel,
                           .arguments = arguments};
    if (!find_values(node, &v, &reason) || !find_launch(plan, node, &v, scalars, arguments, &launch, &reason))
        return lite_report(plan->reporter, "OpenCL: %s: %s", node->name, reason.text);
    define_types(&prelude, custom, node, v.places, &signature);
    launch.prelude = prelude.text;
    return lite_cl_plan_launch(plan, &launch);
}

void lite_cl_custom_set_op(LiteClCustom* custom) {
    const LiteClDeclaration* d = &custom->declaration;
    const bool is_formula = d->formula >= 0;
    LiteClOp* op = &custom->op;
    const LiteClOp* replaced = lite_cl_op_named(d->name);
    *op = (LiteClOp){.params_size = replaced != NULL ? replaced->params_size : 0,
                     .optional_params = true,
                     .inputs = is_formula ? "T" : ".",
                     .outputs = is_formula ? "T" : ".",
                     .types = LITE_CL_ANY,
                     .float16 = is_formula,
                     .check = check,
                     .infer = infer,
                     .fits = fits,
                     .lower = is_formula ? lite_cl_chain_lower_one : lower_kernel,
                     .formula = is_formula ? as_formula : NULL};
    for (int i = 0; i < d->tensor_count; i++) {
        const LiteClTensorDecl* tensor = &d->tensors[i];
        op->max_outputs += tensor->is_output ? 1 : 0;
        op->max_inputs += tensor->is_output ? 0 : 1;
        op->min_inputs += tensor->is_output || tensor->is_optional ? 0 : 1;
        if (is_formula && !tensor->is_output) op->types &= tensor->types;
    }
}

TfLiteStatus lite_cl_custom_try(const LiteClCustom* custom, LiteClDevice* device,
                                const LiteReporter* reporter) {
    const LiteClDeclaration* d = &custom->declaration;
    if (d->formula >= 0) return kTfLiteOk;
    LiteClPrelude prelude = {0};
    LiteClSignature signature;
    define_types(&prelude, custom, NULL, NULL, &signature);
    const LiteClProgramKey key = {.source = custom->source,
                                  .file = custom->file,
                                  .prelude = prelude.text,
                                  .check = lite_cl_signature_check,
                                  .user_data = &signature};
    cl_kernel kernel;
    LITE_TRY(lite_cl_kernel_create(device, &key, d->kernel, reporter, &kernel));
    device->cl->clReleaseKernel(kernel);
    return kTfLiteOk;
}
