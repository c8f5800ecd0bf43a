// SPDX-License-Identifier: Apache-2.0
// What all parts of the loader do: messages, memory, charges, and reading buffers.
#include "core/model/loader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

TfLiteStatus(lite_load_fail)(const LiteLoader* loader, const char* format, ...) {
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    if (loader->kind == NULL) return lite_report(loader->reporter, "%s", message);
    if (loader->index < 0) {
        return lite_report(loader->reporter, "%s %d (%.80s): %s", loader->kind, loader->subgraph,
                           loader->name, message);
    }
    return lite_report(loader->reporter, "Subgraph %d, %s %d (%.80s): %s", loader->subgraph, loader->kind,
                       loader->index, loader->name, message);
}

TfLiteStatus lite_load_charge(LiteLoader* loader, size_t amount) {
    if (amount > loader->budget) {
        return lite_load_fail(loader, "the model is out of proportion with its file of %zu bytes",
                              loader->model->size);
    }
    loader->budget -= amount;
    return kTfLiteOk;
}

void* lite_load_alloc(LiteLoader* loader, size_t count, size_t size) {
    // Counts come from verified vectors and sizes are those of structs: no product overflows 64 bits.
    if (size != 0 && count > SIZE_MAX / size) return NULL;
    if (lite_load_charge(loader, count * size) != kTfLiteOk) return NULL;
    void* memory = lite_arena_alloc(&loader->model->arena, count, size);
    if (memory == NULL) lite_load_fail(loader, "out of memory");
    return memory;
}

LiteModelInts lite_load_ints(LiteFlatVector vector) {
    static const int32_t nothing;
    if (vector.count == 0) return (LiteModelInts){0, &nothing};
    return (LiteModelInts){(int)vector.count, (const int32_t*)vector.data};
}

TfLiteIntArray* lite_load_int_array(LiteFlatVector vector) {
    return vector.data == NULL ? NULL : (TfLiteIntArray*)(vector.data - sizeof(int32_t));
}

TfLiteStatus lite_load_range(const LiteLoader* loader, uint64_t offset, uint64_t size, const void** data) {
    const uint64_t file_size = loader->model->size;
    if (loader->model->is_part) {
        return lite_load_fail(loader, "The model contains weights not accessible from tflite::Model *, "
                                      "please use other api");
    }
    if (offset > file_size || size > file_size - offset) {
        return lite_load_fail(loader, "%llu bytes at offset %llu lie outside the file of %llu bytes",
                              (unsigned long long)size, (unsigned long long)offset,
                              (unsigned long long)file_size);
    }
    *data = loader->model->data + offset;
    return kTfLiteOk;
}

// Writers align contents to 16 bytes; for a file where they are not, kernels get a copy that is. Tensors
// share it as they share the buffer.
static TfLiteStatus align_buffer(LiteLoader* loader, uint32_t buffer, const void** data, size_t bytes) {
    if (loader->aligned == NULL) {
        loader->aligned = lite_load_alloc(loader, loader->buffers.count, sizeof(*loader->aligned));
        if (loader->aligned == NULL) return kTfLiteError;
    }
    if (loader->aligned[buffer] == NULL) {
        void* copy = lite_load_alloc(loader, bytes, 1);
        if (copy == NULL) return kTfLiteError;
        loader->aligned[buffer] = memcpy(copy, *data, bytes);
    }
    *data = loader->aligned[buffer];
    return kTfLiteOk;
}

TfLiteStatus lite_load_buffer(LiteLoader* loader, uint32_t buffer, size_t alignment, const void** data,
                              size_t* bytes) {
    static _Alignas(64) const char nothing[64];
    *data = NULL;
    *bytes = 0;
    if (buffer >= loader->buffers.count) {
        return lite_load_fail(loader, "specifies out of range buffer %u (only %u buffers)", buffer,
                              loader->buffers.count);
    }
    const LiteFlatTable table = lite_flat_element(loader->buffers, buffer);
    const LiteFlatVector contents = lite_flat_vector(table, kBufferData);
    const uint64_t offset = lite_flat_u64(table, kBufferOffset);
    if (contents.count > 0) {
        *data = contents.data;
        *bytes = contents.count;
    } else if (offset > 1) { // 1 is what writers put before they know better
        const uint64_t size = lite_flat_u64(table, kBufferSize);
        LITE_TRY(lite_load_range(loader, offset, size, data));
        if (size == 0) *data = nothing;
        *bytes = (size_t)size;
    } else if (contents.data != NULL) {
        *data = nothing;
    }
    if ((uintptr_t)*data % alignment == 0) return kTfLiteOk;
    return align_buffer(loader, buffer, data, *bytes);
}

TfLiteStatus lite_load_check_tensors(LiteLoader* loader, const char* role, LiteModelInts tensors, int lowest,
                                     int tensor_count) {
    LITE_TRY(lite_load_charge(loader, (size_t)tensors.count));
    for (int i = 0; i < tensors.count; i++) {
        if (tensors.data[i] >= lowest && tensors.data[i] < tensor_count) continue;
        return lite_load_fail(loader, "Invalid tensor index %d in %s. The subgraph has %d tensors",
                              tensors.data[i], role, tensor_count);
    }
    return kTfLiteOk;
}
