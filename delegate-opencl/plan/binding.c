// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/binding.h"

#include "core/base/memory.h"

typedef struct LiteClBinding {
    struct LiteClBinding* next;
    const TfLiteContext* context; // of the tensor's graph
    int tensor;
    bool is_output;
    LiteClBuffer* buffer;
} LiteClBinding;

// What partitions do with a tensor.
typedef struct Use {
    const LiteClBoundary* boundary; // the last one that does
    int tensor;
    bool is_input;
    bool is_output;
    bool asked; // the host looks into it
    bool kept;  // a variable
} Use;

static bool is_bound(const LiteClBindings* bindings, const TfLiteTensor* tensor) {
    return tensor->delegate == bindings->delegate && tensor->buffer_handle != kTfLiteNullBufferHandle;
}

// The pointer that points to the binding; it points to NULL when there is none. The caller holds the mutex,
// as for the functions below.
static LiteClBinding** find_link(LiteClBindings* bindings, TfLiteBufferHandle handle) {
    LiteClBinding** link = &bindings->bindings;
    while (*link != NULL && (*link)->buffer->handle != handle) link = &(*link)->next;
    return link;
}

static void drop(LiteClBindings* bindings, TfLiteBufferHandle handle) {
    LiteClBinding** link = find_link(bindings, handle);
    LiteClBinding* binding = *link;
    if (binding == NULL) return;
    *link = binding->next;
    lite_cl_buffer_destroy(bindings->device, binding->buffer);
    lite_free(binding);
}

static void look_up(Use* use, const LiteClBoundary* boundary, LiteClTensor* const* tensors, int count,
                    bool as_output) {
    for (int i = 0; i < count; i++) {
        if (tensors[i]->index != use->tensor) continue;
        use->boundary = boundary;
        use->is_input = use->is_input || !as_output;
        use->is_output = use->is_output || as_output;
        use->asked = use->asked || (!as_output && tensors[i]->foresight.asked);
        use->kept = use->kept || tensors[i]->kept;
    }
}

static Use find_use(const LiteClBindings* bindings, const TfLiteTensor* tensor) {
    Use use = {0};
    for (const LiteClBoundary* b = bindings->boundaries; b != NULL; b = b->next) {
        const uintptr_t begin = (uintptr_t)b->context->tensors, place = (uintptr_t)tensor;
        if (place < begin || place - begin >= b->context->tensors_size * sizeof *tensor) continue;
        use.tensor = (int)((place - begin) / sizeof *tensor);
        look_up(&use, b, b->inputs, b->input_count, false);
        look_up(&use, b, b->outputs, b->output_count, true);
    }
    return use;
}

static TfLiteStatus check_use(const LiteClBindings* bindings, const TfLiteTensor* tensor, const Use* use,
                              const LiteReporter* reporter) {
    if (use->boundary == NULL) {
        return lite_report(
            reporter,
            "OpenCL: bind: the tensor is no input or output of what the delegate runs on the device (with "
            "partition=all it runs there all that it can)");
    }
    if (use->asked)
        return lite_report(reporter, "OpenCL: bind: tensor %d is a parameter that the host reads",
                           use->tensor);
    if (use->kept)
        return lite_report(reporter, "OpenCL: bind: tensor %d is a variable, which the host keeps",
                           use->tensor);
    if (tensor->delegate != NULL && tensor->delegate != bindings->delegate)
        return lite_report(reporter, "OpenCL: bind: tensor %d belongs to another delegate", use->tensor);
    return kTfLiteOk;
}

// Kernels may read an input after they have written an output.
static TfLiteStatus check_apart(const LiteClBindings* bindings, const Use* use, const LiteClBuffer* buffer,
                                const LiteReporter* reporter) {
    for (const LiteClBinding* b = bindings->bindings; b != NULL; b = b->next) {
        if (b->context != use->boundary->context || b->tensor == use->tensor) continue;
        if (!(use->is_output || b->is_output) || !lite_cl_buffers_overlap(b->buffer, buffer)) continue;
        return lite_report(reporter,
                           "OpenCL: bind: tensors %d and %d would share memory, and one is an output",
                           use->tensor, b->tensor);
    }
    return kTfLiteOk;
}

static TfLiteStatus describe(const LiteClBindings* bindings, const TfLiteTensor* tensor, const Use* use,
                             cl_mem memory, size_t offset, size_t bytes, LiteClBuffer* buffer,
                             const LiteReporter* reporter) {
    LITE_TRY(lite_cl_buffer_describe(bindings->device, buffer, memory, reporter));
    if (use->is_input) LITE_TRY(lite_cl_buffer_check_use(buffer, false, reporter));
    if (use->is_output) LITE_TRY(lite_cl_buffer_check_use(buffer, true, reporter));
    LITE_TRY(lite_cl_buffer_cut(buffer, offset, bytes, reporter));
    LITE_TRY(lite_cl_buffer_check_alignment(buffer, bindings->device->alignment, reporter));
    if (buffer->bytes < tensor->bytes) {
        return lite_report(reporter, "OpenCL: bind: tensor %d has %zu bytes, the buffer %zu", use->tensor,
                           tensor->bytes, buffer->bytes);
    }
    return check_apart(bindings, use, buffer, reporter);
}

static TfLiteStatus bind(LiteClBindings* bindings, const TfLiteTensor* tensor, cl_mem memory, size_t offset,
                         size_t bytes, const LiteReporter* reporter) {
    const Use use = find_use(bindings, tensor);
    LITE_TRY(check_use(bindings, tensor, &use, reporter));
    LiteClBuffer described = {.pool = kTfLiteNullBufferHandle};
    LITE_TRY(describe(bindings, tensor, &use, memory, offset, bytes, &described, reporter));
    LiteClBinding* binding = lite_calloc(1, sizeof *binding);
    if (binding == NULL) return lite_report(reporter, "OpenCL: out of memory");
    described.handle = ++bindings->last_handle;
    *binding = (LiteClBinding){.next = bindings->bindings,
                               .context = use.boundary->context,
                               .tensor = use.tensor,
                               .is_output = use.is_output,
                               .buffer = lite_cl_buffer_create(bindings->device, &described, reporter)};
    if (binding->buffer == NULL) {
        lite_free(binding);
        return kTfLiteError;
    }
    TfLiteTensor* host = &use.boundary->context->tensors[use.tensor];
    if (is_bound(bindings, host)) drop(bindings, host->buffer_handle);
    binding->next = bindings->bindings;
    bindings->bindings = binding;
    host->delegate = bindings->delegate;
    host->buffer_handle = described.handle;
    host->data_is_stale = use.is_input;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_bindings_bind(LiteClBindings* bindings, const TfLiteTensor* tensor, cl_mem memory,
                                   size_t offset, size_t bytes, const LiteReporter* reporter) {
    lite_lock(&bindings->mutex);
    const TfLiteStatus status = bind(bindings, tensor, memory, offset, bytes, reporter);
    lite_unlock(&bindings->mutex);
    return status;
}

void lite_cl_bindings_unbind(LiteClBindings* bindings, const TfLiteTensor* tensor) {
    if (!is_bound(bindings, tensor)) return;
    TfLiteTensor* host = (TfLiteTensor*)(uintptr_t)tensor; // as the interpreter has it
    lite_lock(&bindings->mutex);
    drop(bindings, host->buffer_handle);
    // Hosts leave it so: outputs name the delegate that computes them.
    if (!find_use(bindings, host).is_output) host->delegate = NULL;
    lite_unlock(&bindings->mutex);
    host->buffer_handle = kTfLiteNullBufferHandle;
    host->data_is_stale = false;
}

TfLiteStatus lite_cl_bindings_find(LiteClBindings* bindings, const TfLiteOpaqueContext* context, int tensor,
                                   size_t bytes, cl_mem* memory, const LiteReporter* reporter) {
    *memory = NULL;
    const TfLiteTensor* host = (const TfLiteTensor*)TfLiteOpaqueContextGetOpaqueTensor(context, tensor);
    if (host == NULL || !is_bound(bindings, host)) return kTfLiteOk;
    lite_lock(&bindings->mutex);
    const LiteClBinding* binding = *find_link(bindings, host->buffer_handle);
    const bool known =
        binding != NULL && binding->context == (const TfLiteContext*)context && binding->tensor == tensor;
    const size_t room = known ? binding->buffer->bytes : 0;
    if (known) *memory = binding->buffer->memory;
    lite_unlock(&bindings->mutex);
    if (!known)
        return lite_report(reporter, "OpenCL: tensor %d: buffer handle %d was not given to it", tensor,
                           host->buffer_handle);
    if (room >= bytes) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: tensor %d has %zu bytes now, the buffer it is bound to %zu", tensor,
                       bytes, room);
}

bool lite_cl_bindings_any(const LiteClBindings* bindings, const LiteClBoundary* boundary,
                          const TfLiteOpaqueContext* context) {
    for (int i = 0; i < boundary->input_count + boundary->output_count; i++) {
        const LiteClTensor* tensor =
            i < boundary->input_count ? boundary->inputs[i] : boundary->outputs[i - boundary->input_count];
        const TfLiteTensor* host =
            (const TfLiteTensor*)TfLiteOpaqueContextGetOpaqueTensor(context, tensor->index);
        if (host != NULL && is_bound(bindings, host)) return true;
    }
    return false;
}

static TfLiteStatus copy(const LiteClBindings* bindings, cl_command_queue queue, const LiteClBuffer* buffer,
                         const TfLiteTensor* tensor, bool to_host, const LiteReporter* reporter) {
    const LiteCl* cl = bindings->device->cl;
    if (to_host) {
        return lite_cl_check(reporter, "clEnqueueReadBuffer of a bound tensor",
                             cl->clEnqueueReadBuffer(queue, buffer->memory, CL_TRUE, 0, tensor->bytes,
                                                     tensor->data.raw, 0, NULL, NULL));
    }
    return lite_cl_check(reporter, "clEnqueueWriteBuffer of a bound tensor",
                         cl->clEnqueueWriteBuffer(queue, buffer->memory, CL_TRUE, 0, tensor->bytes,
                                                  tensor->data.raw, 0, NULL, NULL));
}

TfLiteStatus lite_cl_bindings_copy(LiteClBindings* bindings, TfLiteBufferHandle handle,
                                   const TfLiteTensor* tensor, bool to_host, const LiteReporter* reporter) {
    const LiteCl* cl = bindings->device->cl;
    lite_lock(&bindings->mutex);
    const LiteClBinding* binding = *find_link(bindings, handle);
    LiteClBuffer buffer = binding != NULL ? *binding->buffer : (LiteClBuffer){0};
    lite_unlock(&bindings->mutex);
    if (buffer.bytes < tensor->bytes || (tensor->data.raw == NULL && tensor->bytes > 0)) {
        return lite_report(reporter,
                           "OpenCL: %zu bytes of a tensor cannot be copied: buffer handle %d has %zu",
                           tensor->bytes, handle, buffer.bytes);
    }
    if (tensor->bytes == 0) return kTfLiteOk;
    if (bindings->queue != NULL) return copy(bindings, bindings->queue, &buffer, tensor, to_host, reporter);
    cl_int error;
    cl_command_queue queue =
        cl->clCreateCommandQueue(bindings->device->context, bindings->device->id, 0, &error);
    LITE_TRY(lite_cl_check(reporter, "clCreateCommandQueue", error));
    const TfLiteStatus status = copy(bindings, queue, &buffer, tensor, to_host, reporter);
    cl->clReleaseCommandQueue(queue);
    return status;
}

void lite_cl_bindings_drop(LiteClBindings* bindings, TfLiteBufferHandle handle) {
    lite_lock(&bindings->mutex);
    drop(bindings, handle);
    lite_unlock(&bindings->mutex);
}

void lite_cl_bindings_init(LiteClBindings* bindings, TfLiteDelegate* delegate, LiteClDevice* device,
                           cl_command_queue queue) {
    *bindings = (LiteClBindings){.delegate = delegate, .device = device, .queue = queue};
    lite_lock_init(&bindings->mutex);
}

void lite_cl_bindings_destroy(LiteClBindings* bindings) {
    while (bindings->bindings != NULL) drop(bindings, bindings->bindings->buffer->handle);
    lite_lock_destroy(&bindings->mutex);
}

void lite_cl_bindings_enter(LiteClBindings* bindings, LiteClBoundary* boundary) {
    lite_lock(&bindings->mutex);
    boundary->next = bindings->boundaries;
    boundary->link = &bindings->boundaries;
    if (boundary->next != NULL) boundary->next->link = &boundary->next;
    bindings->boundaries = boundary;
    lite_unlock(&bindings->mutex);
}

void lite_cl_bindings_leave(LiteClBindings* bindings, LiteClBoundary* boundary) {
    if (boundary->link == NULL) return;
    lite_lock(&bindings->mutex);
    *boundary->link = boundary->next;
    if (boundary->next != NULL) boundary->next->link = boundary->link;
    boundary->link = NULL;
    lite_unlock(&bindings->mutex);
}
