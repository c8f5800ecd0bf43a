// SPDX-License-Identifier: Apache-2.0
#include "tests/support/probe_delegate.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/overlap.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/c/operator.h"

enum { kMaxSteps = 64, kHandle = 7 };

typedef struct Step {
    char op; // first letter of the operator's name
    int inputs[2];
    int output;
} Step;

typedef struct Kernel {
    ProbeDelegate* probe;
    int step_count;
    Step steps[kMaxSteps];
} Kernel;

static bool can_compute(const TfLiteRegistration* registration) {
    static const char* const names[] = {"Twice", "Sum", "Scratch"};
    for (size_t i = 0; registration->custom_name != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(registration->custom_name, names[i]) == 0) return true;
    }
    return false;
}

// Kernels.

static Kernel* create_kernel(ProbeDelegate* probe, TfLiteContext* context, const TfLiteIntArray* nodes) {
    probe->inits++;
    if (probe->init_fails) return TfLiteKernelInitFailed();
    Kernel* kernel = probe->init_gives_null ? NULL : calloc(1, sizeof *kernel);
    if (kernel == NULL) return NULL;
    kernel->probe = probe;
    for (int i = 0; i < nodes->size && i < kMaxSteps; i++) {
        TfLiteNode* node;
        TfLiteRegistration* registration;
        Step* step = &kernel->steps[kernel->step_count++];
        if (context->GetNodeAndRegistration(context, nodes->data[i], &node, &registration) != kTfLiteOk)
            abort();
        step->op = can_compute(registration) ? registration->custom_name[1] : '?';
        step->output = node->outputs->data[0];
        for (int k = 0; k < 2; k++) step->inputs[k] = node->inputs->data[k < node->inputs->size ? k : 0];
    }
    return kernel;
}

static void* kernel_init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)length;
    const TfLiteDelegateParams* params = (const TfLiteDelegateParams*)(const void*)buffer;
    return create_kernel(params->delegate->data_, context, params->nodes_to_replace);
}

static void* opaque_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)length;
    const TfLiteOpaqueDelegateParams* params = (const TfLiteOpaqueDelegateParams*)(const void*)buffer;
    return create_kernel(params->delegate_data, (TfLiteContext*)context, params->nodes_to_replace);
}

static void kernel_free(TfLiteContext* context, void* data) {
    (void)context;
    Kernel* kernel = data;
    if (kernel == NULL) return; // operators are freed also when init gave nothing
    kernel->probe->frees++;
    free(kernel);
}

// The step that writes a tensor; NULL: it comes from outside.
static const Step* writer_of(const Kernel* kernel, int tensor) {
    for (int i = 0; i < kernel->step_count; i++) {
        if (kernel->steps[i].output == tensor) return &kernel->steps[i];
    }
    return NULL;
}

// All operators give the shape of their first input.
static const TfLiteTensor* shape_of(const Kernel* kernel, const TfLiteContext* context, int tensor) {
    const Step* writer = writer_of(kernel, tensor);
    return writer != NULL ? shape_of(kernel, context, writer->inputs[0]) : &context->tensors[tensor];
}

static TfLiteStatus prepare_output(const Kernel* kernel, TfLiteContext* context, int tensor) {
    TfLiteTensor* output = &context->tensors[tensor];
    const TfLiteTensor* shape = shape_of(kernel, context, tensor);
    if (kernel->probe->relies_on_shapes) {
        return TfLiteIntArrayEqual(shape->dims, output->dims) ? kTfLiteOk : kTfLiteError;
    }
    if (kernel->probe->dynamic_outputs) {
        output->allocation_type = kTfLiteDynamic;
        output->data.raw = NULL;
        return kTfLiteOk;
    }
    TfLiteIntArray* dims = TfLiteIntArrayCopy(shape->dims);
    return dims != NULL ? context->ResizeTensor(context, output, dims) : kTfLiteError;
}

static TfLiteStatus kernel_end(TfLiteContext* context, TfLiteNode* node);

static TfLiteStatus kernel_prepare(TfLiteContext* context, TfLiteNode* node) {
    const Kernel* kernel = node->user_data;
    if (kernel == NULL) return kTfLiteError;
    kernel->probe->kernel_prepares++;
    for (int i = 0; i < node->outputs->size; i++) {
        const TfLiteStatus status = prepare_output(kernel, context, node->outputs->data[i]);
        if (status != kTfLiteOk) return status;
    }
    if (kernel->probe->goes_on) lite_overlap_service(context)->offer(context, node, kernel_end);
    return kernel->probe->kernel_prepare_status;
}

// What the steps compute, one list of values behind the other as long as a kernel's invoke.
typedef struct Values {
    const Kernel* kernel;
    const TfLiteContext* context;
    float* of[kMaxSteps];
} Values;

static size_t size_of(const Values* values, int tensor) {
    return shape_of(values->kernel, values->context, tensor)->bytes / sizeof(float);
}

static const float* find(const Values* values, int tensor) {
    const Step* step = writer_of(values->kernel, tensor);
    return step != NULL ? values->of[step - values->kernel->steps] : values->context->tensors[tensor].data.f;
}

static bool compute(Values* values, int index) {
    const Step* step = &values->kernel->steps[index];
    const size_t count = size_of(values, step->output), others = size_of(values, step->inputs[1]);
    const float *x = find(values, step->inputs[0]), *y = find(values, step->inputs[1]);
    float* z = values->of[index] = malloc(count * sizeof *z + 1);
    if (z == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        z[i] = step->op == 'w' ? 2 * x[i] : step->op == 'c' ? x[i] + 1 : x[i] + y[i % others];
    }
    return true;
}

static TfLiteStatus give(const Values* values, TfLiteContext* context, int tensor) {
    ProbeDelegate* probe = values->kernel->probe;
    TfLiteTensor* output = &context->tensors[tensor];
    if (probe->dynamic_outputs) {
        TfLiteIntArray* dims = TfLiteIntArrayCopy(shape_of(values->kernel, context, tensor)->dims);
        if (dims == NULL || context->ResizeTensor(context, output, dims) != kTfLiteOk) return kTfLiteError;
    }
    float* to = probe->leaves_in_buffer ? probe->buffer : output->data.f;
    memcpy(to, find(values, tensor), size_of(values, tensor) * sizeof *to);
    if (probe->leaves_in_buffer) {
        output->buffer_handle = kHandle;
        output->data_is_stale = true;
    }
    return kTfLiteOk;
}

static TfLiteStatus run(TfLiteContext* context, const TfLiteNode* node, TfLiteStatus status) {
    Values values = {.kernel = node->user_data, .context = context};
    for (int i = 0; i < values.kernel->step_count && status == kTfLiteOk; i++) {
        if (!compute(&values, i)) status = kTfLiteError;
    }
    for (int i = 0; i < node->outputs->size && status == kTfLiteOk; i++) {
        status = give(&values, context, node->outputs->data[i]);
    }
    for (int i = 0; i < values.kernel->step_count; i++) free(values.of[i]);
    return status;
}

// What a device may do meanwhile.
static void spoil_outputs(const TfLiteContext* context, const TfLiteNode* node) {
    for (int i = 0; i < node->outputs->size; i++) {
        const TfLiteTensor* output = &context->tensors[node->outputs->data[i]];
        memset(output->data.raw, 0x55, output->bytes);
    }
}

static TfLiteStatus kernel_invoke(TfLiteContext* context, TfLiteNode* node) {
    ProbeDelegate* probe = ((Kernel*)node->user_data)->probe;
    probe->invokes++;
    if (!probe->goes_on || probe->invoke_status != kTfLiteOk) return run(context, node, probe->invoke_status);
    spoil_outputs(context, node);
    return kTfLiteOk;
}

static TfLiteStatus kernel_end(TfLiteContext* context, TfLiteNode* node) {
    ProbeDelegate* probe = ((Kernel*)node->user_data)->probe;
    probe->ends++;
    spoil_outputs(context, node);
    return run(context, node, probe->end_status);
}

// The same for the opaque form: an opaque context is a context.
static void opaque_free(TfLiteOpaqueContext* context, void* data) {
    kernel_free((TfLiteContext*)context, data);
}
static TfLiteStatus opaque_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return kernel_prepare((TfLiteContext*)context, (TfLiteNode*)node);
}
static TfLiteStatus opaque_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return kernel_invoke((TfLiteContext*)context, (TfLiteNode*)node);
}

// The delegate.

static TfLiteIntArray* taken_nodes(const ProbeDelegate* probe, TfLiteContext* context) {
    TfLiteIntArray* plan;
    if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return NULL;
    const int most = probe->nodes != NULL ? probe->node_count : plan->size;
    TfLiteIntArray* taken = TfLiteIntArrayCreate(most);
    if (taken == NULL) return NULL;
    taken->size = 0;
    for (int i = 0; i < most; i++) {
        TfLiteNode* node;
        TfLiteRegistration* registration;
        if (probe->nodes != NULL) {
            taken->data[taken->size++] = probe->nodes[i];
        } else if (context->GetNodeAndRegistration(context, plan->data[i], &node, &registration) ==
                       kTfLiteOk &&
                   can_compute(registration) &&
                   (probe->takes == NULL || strcmp(probe->takes, registration->custom_name) == 0)) {
            taken->data[taken->size++] = plan->data[i];
        }
    }
    return taken;
}

static TfLiteStatus replace_opaque(TfLiteContext* context, const TfLiteIntArray* nodes,
                                   TfLiteDelegate* delegate) {
    TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Probe", 1, NULL);
    if (kernel == NULL) return kTfLiteError;
    TfLiteOperatorSetInit(kernel, opaque_init);
    TfLiteOperatorSetFree(kernel, opaque_free);
    TfLiteOperatorSetPrepare(kernel, opaque_prepare);
    TfLiteOperatorSetInvoke(kernel, opaque_invoke);
    return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels((TfLiteOpaqueContext*)context, kernel,
                                                                    nodes, delegate);
}

static TfLiteStatus prepare(ProbeDelegate* probe, TfLiteContext* context, TfLiteDelegate* delegate) {
    static const TfLiteRegistration kernel = {.init = kernel_init,
                                              .free = kernel_free,
                                              .prepare = kernel_prepare,
                                              .invoke = kernel_invoke,
                                              .custom_name = "Probe",
                                              .version = 1};
    probe->prepares++;
    if (probe->look != NULL) probe->look(context);
    if (probe->goes_on) lite_overlap_service(context)->order(context);
    TfLiteIntArray* nodes = taken_nodes(probe, context);
    if (nodes == NULL) return kTfLiteError;
    const bool opaque = delegate->Prepare == NULL;
    probe->replace_status =
        opaque ? replace_opaque(context, nodes, delegate)
               : context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes, delegate);
    TfLiteIntArrayFree(nodes);
    return probe->prepare_status != kTfLiteOk ? probe->prepare_status : probe->replace_status;
}

static TfLiteStatus plain_prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    return prepare(delegate->data_, context, delegate);
}

static TfLiteStatus builder_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                    void* data) {
    return prepare(data, (TfLiteContext*)context, delegate);
}

static TfLiteStatus copy_from(ProbeDelegate* probe, TfLiteTensor* tensor) {
    probe->copies++;
    memcpy(tensor->data.raw, probe->buffer, tensor->bytes);
    return kTfLiteOk;
}

static TfLiteStatus plain_copy_from(TfLiteContext* context, TfLiteDelegate* delegate,
                                    TfLiteBufferHandle handle, TfLiteTensor* tensor) {
    (void)context, (void)handle;
    return copy_from(delegate->data_, tensor);
}

static TfLiteStatus builder_copy_from(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                      void* data, TfLiteBufferHandle handle, TfLiteOpaqueTensor* tensor) {
    (void)context, (void)delegate, (void)handle;
    return copy_from(data, (TfLiteTensor*)tensor);
}

static void plain_free_handle(TfLiteContext* context, TfLiteDelegate* delegate, TfLiteBufferHandle* handle) {
    (void)context, (void)handle;
    ((ProbeDelegate*)delegate->data_)->freed_handles++;
}

static void builder_free_handle(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                                TfLiteBufferHandle* handle) {
    (void)context, (void)delegate, (void)handle;
    ((ProbeDelegate*)data)->freed_handles++;
}

void probe_init(ProbeDelegate* probe, int64_t flags) {
    memset(probe, 0, sizeof *probe);
    probe->delegate = (TfLiteDelegate){.data_ = probe,
                                       .Prepare = plain_prepare,
                                       .CopyFromBufferHandle = plain_copy_from,
                                       .FreeBufferHandle = plain_free_handle,
                                       .flags = flags};
}

void probe_init_opaque(ProbeDelegate* probe, int64_t flags) {
    memset(probe, 0, sizeof *probe);
    probe->opaque = (TfLiteOpaqueDelegateBuilder){.data = probe,
                                                  .Prepare = builder_prepare,
                                                  .CopyFromBufferHandle = builder_copy_from,
                                                  .FreeBufferHandle = builder_free_handle,
                                                  .flags = flags};
    probe->delegate.opaque_delegate_builder = &probe->opaque;
}
