// SPDX-License-Identifier: Apache-2.0
// What the files of the loader share while one model is read. Everything runs after lite_flat_verify.
#ifndef CORE_MODEL_LOADER_H_
#define CORE_MODEL_LOADER_H_

#include "core/model/flatbuffer.h"
#include "core/model/model_internal.h"
#include "core/model/schema.h"

typedef struct LiteLoader {
    LiteModel* model;
    const LiteReporter* reporter;
    LiteFlatTable root;
    LiteFlatVector buffers;
    const void** aligned; // per buffer: the aligned copy of its contents, NULL when none was needed yet
    size_t budget;        // see lite_load_charge
    int subgraph_count;
    LiteModelSubgraph* subgraphs; // of the model
    // What is being read, for messages: "Subgraph 0, tensor 3 (name)"; a negative index: the subgraph as a
    // whole; NULL kind: the model.
    const char* kind;
    const char* name;
    int subgraph;
    int index;
} LiteLoader;

// Reports "<what is being read>: <message>" and returns kTfLiteError.
TfLiteStatus lite_load_fail(const LiteLoader* loader, const char* format, ...) LITE_PRINTF(2, 3);
#define lite_load_fail(...) lite_failed(lite_load_fail(__VA_ARGS__))

// Tables and vectors may be shared, so a small file can describe a huge model. Whatever is paid per
// reference, bytes allocated and elements looked at, is charged; fails when it is out of proportion with the
// file's size.
TfLiteStatus lite_load_charge(LiteLoader* loader, size_t amount);

// Zeroed memory of the model, charged; NULL, already reported, when there is none.
void* lite_load_alloc(LiteLoader* loader, size_t count, size_t size);

// A vector of 32-bit integers as it lies in the file.
LiteModelInts lite_load_ints(LiteFlatVector vector);

// The same as the array that it also is: the file holds the length before the elements, as TfLiteIntArray and
// TfLiteFloatArray do. NULL when absent. Nobody may write to it or free it.
TfLiteIntArray* lite_load_int_array(LiteFlatVector vector);

// Contents of a buffer, which may be of 0 bytes; *data is NULL when it has none. `alignment` is that of the
// type which will be read.
TfLiteStatus lite_load_buffer(LiteLoader* loader, uint32_t buffer, size_t alignment, const void** data,
                              size_t* bytes);
// `size` bytes at `offset` from the start of the file. Files beyond 2 GiB keep large contents there.
TfLiteStatus lite_load_range(const LiteLoader* loader, uint64_t offset, uint64_t size, const void** data);

// Every index in `tensors` is in [lowest, tensor_count).
TfLiteStatus lite_load_check_tensors(LiteLoader* loader, const char* role, LiteModelInts tensors, int lowest,
                                     int tensor_count);

#endif
