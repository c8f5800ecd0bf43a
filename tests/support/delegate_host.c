// SPDX-License-Identifier: Apache-2.0
#include "tests/support/delegate_host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "oclite/opencl.h"

// Not by TfLiteIntArrayCreate: tests make the allocations of the library fail.
static TfLiteIntArray* copy_ints(int count, const int* values) {
    TfLiteIntArray* array = malloc(sizeof *array + (size_t)count * sizeof *values);
    if (array == NULL) abort();
    array->size = count;
    if (count > 0) memcpy(array->data, values, (size_t)count * sizeof *values);
    return array;
}

// The start of a tensor's mapping is kept in `allocation`, its length in `buffer_handle`.
static void release_memory(TfLiteTensor* tensor) {
    if (tensor->allocation != NULL)
        munmap((void*)(uintptr_t)tensor->allocation, (size_t)tensor->buffer_handle);
    tensor->allocation = NULL;
    tensor->data.raw = NULL;
    tensor->bytes = 0;
}

static size_t element_size(TfLiteType type) {
    return type == kTfLiteInt64 ? 8 : type == kTfLiteFloat16 ? 2 : type == kTfLiteInt8 ? 1 : 4;
}

static void map_memory(TfLiteTensor* tensor) {
    size_t bytes = element_size(tensor->type);
    for (int d = 0; d < tensor->dims->size; d++) bytes *= (size_t)tensor->dims->data[d];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t length = (bytes + page - 1) / page * page + page;
    char* memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + length - page, page, PROT_NONE) != 0) abort();
    memset(memory, 0x7f, length - page);
    tensor->allocation = memory;
    tensor->buffer_handle = (TfLiteBufferHandle)length;
    tensor->data.raw = memory + length - page - bytes;
    tensor->bytes = bytes;
}

static TfLiteStatus resize_tensor(TfLiteContext* context, TfLiteTensor* tensor, TfLiteIntArray* dims) {
    (void)context;
    release_memory(tensor);
    TfLiteIntArrayFree(tensor->dims);
    tensor->dims = dims;
    map_memory(tensor);
    return kTfLiteOk;
}

static TfLiteStatus get_plan(TfLiteContext* context, TfLiteIntArray** plan) {
    *plan = ((DelegateHost*)context)->plan;
    return kTfLiteOk;
}

static TfLiteStatus get_node(TfLiteContext* context, int index, TfLiteNode** node,
                             TfLiteRegistration** registration) {
    DelegateHost* host = (DelegateHost*)context;
    *node = &host->nodes[index];
    *registration = &host->registrations[index];
    return kTfLiteOk;
}

// Does a taken node read (or write) the tensor?
static bool touched(const DelegateHost* host, int tensor, bool write) {
    for (int i = 0; i < host->taken->size; i++) {
        const TfLiteNode* node = &host->nodes[host->taken->data[i]];
        const TfLiteIntArray* tensors = write ? node->outputs : node->inputs;
        for (int k = 0; k < tensors->size; k++) {
            if (tensors->data[k] == tensor) return true;
        }
    }
    return false;
}

static void make_partition(DelegateHost* host, TfLiteDelegate* delegate) {
    int inputs[HOST_TENSORS], outputs[HOST_TENSORS], input_count = 0, output_count = 0;
    for (int t = 0; t < host->tensor_count; t++) {
        const bool read = touched(host, t, false), written = touched(host, t, true);
        if (read && !written) inputs[input_count++] = t;
        if (written && (!read || t == host->extra_output)) outputs[output_count++] = t;
    }
    host->partition_node.inputs = copy_ints(input_count, inputs);
    host->partition_node.outputs = copy_ints(output_count, outputs);
    const TfLiteDelegateParams params = {delegate, host->taken, host->partition_node.inputs,
                                         host->partition_node.outputs};
    host->partition_node.user_data =
        host->partition.init(&host->context, (const char*)&params, sizeof params);
}

static TfLiteStatus replace_nodes(TfLiteContext* context, TfLiteRegistration registration,
                                  const TfLiteIntArray* nodes, TfLiteDelegate* delegate) {
    DelegateHost* host = (DelegateHost*)context;
    host->partition = registration;
    host->taken = copy_ints(nodes->size, nodes->data);
    make_partition(host, delegate);
    return kTfLiteOk;
}

static void report_error(TfLiteContext* context, const char* format, ...) {
    DelegateHost* host = (DelegateHost*)context;
    va_list args;
    va_start(args, format);
    vsnprintf(host->message, sizeof host->message, format, args);
    va_end(args);
}

void host_init(DelegateHost* host) {
    memset(host, 0, sizeof *host);
    host->context.tensors = host->tensors;
    host->context.GetExecutionPlan = get_plan;
    host->context.GetNodeAndRegistration = get_node;
    host->context.ReplaceNodeSubsetsWithDelegateKernels = replace_nodes;
    host->context.ResizeTensor = resize_tensor;
    host->context.ReportError = report_error;
}

void host_free(DelegateHost* host) {
    if (host->partition.free != NULL) host->partition.free(&host->context, host->partition_node.user_data);
    TfLiteIntArrayFree(host->partition_node.inputs);
    TfLiteIntArrayFree(host->partition_node.outputs);
    TfLiteIntArrayFree(host->taken);
    TfLiteIntArrayFree(host->plan);
    for (int t = 0; t < host->tensor_count; t++) {
        release_memory(&host->tensors[t]);
        TfLiteIntArrayFree(host->tensors[t].dims);
    }
    for (int n = 0; n < host->node_count; n++) {
        TfLiteIntArrayFree(host->nodes[n].inputs);
        TfLiteIntArrayFree(host->nodes[n].outputs);
    }
}

int host_variable(DelegateHost* host, int rank, const int* dims) {
    if (host->tensor_count == HOST_TENSORS) abort();
    TfLiteTensor* tensor = &host->tensors[host->tensor_count];
    tensor->type = kTfLiteFloat32;
    tensor->allocation_type = kTfLiteArenaRw;
    tensor->dims = copy_ints(rank, dims);
    map_memory(tensor);
    host->context.tensors_size = (size_t)host->tensor_count + 1;
    return host->tensor_count++;
}

int host_constant(DelegateHost* host, TfLiteType type, int rank, const int* dims, const void* data) {
    const int index = host_variable(host, rank, dims);
    TfLiteTensor* tensor = &host->tensors[index];
    tensor->type = type;
    tensor->allocation_type = kTfLiteMmapRo;
    release_memory(tensor);
    map_memory(tensor);
    if (data != NULL) memcpy(tensor->data.raw, data, tensor->bytes);
    return index;
}

void host_resize(DelegateHost* host, int tensor, int rank, const int* dims) {
    resize_tensor(&host->context, &host->tensors[tensor], copy_ints(rank, dims));
}

int host_node(DelegateHost* host, int builtin_code, const char* custom_name, void* params, int input_count,
              const int* inputs, int output) {
    if (host->node_count == HOST_NODES) abort();
    const int index = host->node_count++;
    host->nodes[index].inputs = copy_ints(input_count, inputs);
    host->nodes[index].outputs = copy_ints(1, &output);
    host->nodes[index].builtin_data = params;
    host->registrations[index].builtin_code = builtin_code;
    host->registrations[index].custom_name = custom_name;
    host->registrations[index].version = 1;
    return index;
}

TfLiteStatus host_delegate(DelegateHost* host, TfLiteDelegate* delegate, int extra_output) {
    int order[HOST_NODES];
    for (int n = 0; n < host->node_count; n++) order[n] = n;
    host->plan = copy_ints(host->node_count, order);
    host->extra_output = extra_output;
    const TfLiteStatus status = delegate->Prepare(&host->context, delegate);
    // Hosts may move nodes from here on: a delegate that looks at them again is wrong.
    memset(host->registrations, 0, sizeof host->registrations);
    return status;
}

TfLiteStatus host_prepare(DelegateHost* host) {
    return host->partition.prepare(&host->context, &host->partition_node);
}

TfLiteStatus host_invoke(DelegateHost* host) {
    return host->partition.invoke(&host->context, &host->partition_node);
}

int host_elements(const DelegateHost* host, int tensor) {
    return (int)(host->tensors[tensor].bytes / element_size(host->tensors[tensor].type));
}

bool host_has_opencl(void) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) printf("skipped: %s\n", oclite_opencl_last_error());
    oclite_opencl_delegate_delete(delegate);
    return delegate != NULL;
}
