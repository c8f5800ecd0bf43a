// SPDX-License-Identifier: Apache-2.0
// TfLiteOpaqueTensor*: accessors, strings and the tensor builder. An opaque tensor is a TfLiteTensor.
// Also linked into the delegate plugin, so nothing but core/base and the public structs is used here.
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/shape.h"
#include "core/base/status.h"
#include "core/opaque/opaque.h"
#include "oclite/oclite.h"

TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor* opaque_tensor) {
    return opaque_tensor ? as_const_tensor(opaque_tensor)->type : kTfLiteNoType;
}

int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor* opaque_tensor) {
    const TfLiteTensor* tensor = as_const_tensor(opaque_tensor);
    return tensor && tensor->dims ? tensor->dims->size : -1;
}

int32_t TfLiteOpaqueTensorNumDimensions(const TfLiteOpaqueTensor* opaque_tensor) {
    return TfLiteOpaqueTensorNumDims(opaque_tensor);
}

int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor* opaque_tensor, int32_t dim_index) {
    if (dim_index < 0 || dim_index >= TfLiteOpaqueTensorNumDims(opaque_tensor)) return -1;
    return as_const_tensor(opaque_tensor)->dims->data[dim_index];
}

TfLiteStatus TfLiteOpaqueTensorGetNumDimsSignature(const TfLiteOpaqueTensor* opaque_tensor,
                                                   int32_t* num_dims) {
    if (opaque_tensor == NULL || num_dims == NULL) return kTfLiteError;
    const TfLiteIntArray* signature = as_const_tensor(opaque_tensor)->dims_signature;
    *num_dims = signature ? signature->size : -1;
    return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueTensorGetDimSignature(const TfLiteOpaqueTensor* opaque_tensor, int32_t dim_index,
                                               int32_t* dim_length) {
    if (opaque_tensor == NULL || dim_length == NULL) return kTfLiteError;
    const TfLiteIntArray* signature = TfLiteTensorGetDimsSignature(as_const_tensor(opaque_tensor));
    const bool exists = signature != NULL && dim_index >= 0 && dim_index < signature->size;
    *dim_length = exists ? signature->data[dim_index] : -1;
    return exists ? kTfLiteOk : kTfLiteError;
}

int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor* opaque_tensor) {
    return opaque_tensor != NULL && as_const_tensor(opaque_tensor)->is_variable;
}

size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor* opaque_tensor) {
    return opaque_tensor ? as_const_tensor(opaque_tensor)->bytes : 0;
}

void* TfLiteOpaqueTensorData(const TfLiteOpaqueTensor* opaque_tensor) {
    return opaque_tensor ? as_const_tensor(opaque_tensor)->data.data : NULL;
}

const char* TfLiteOpaqueTensorName(const TfLiteOpaqueTensor* opaque_tensor) {
    return opaque_tensor ? as_const_tensor(opaque_tensor)->name : NULL;
}

TfLiteAllocationType TfLiteOpaqueTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor) {
    return opaque_tensor ? as_const_tensor(opaque_tensor)->allocation_type : kTfLiteMemNone;
}

TfLiteAllocationType TfLiteTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor) {
    return TfLiteOpaqueTensorGetAllocationType(opaque_tensor);
}

TfLiteAllocationStrategy TfLiteOpaqueTensorGetAllocationStrategy(const TfLiteOpaqueTensor* t) {
    return TfLiteTensorGetAllocationStrategy(as_const_tensor(t));
}

TfLiteRunStability TfLiteOpaqueTensorGetBufferAddressStability(const TfLiteOpaqueTensor* t) {
    return TfLiteTensorGetBufferAddressStability(as_const_tensor(t));
}

TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor* t) {
    return TfLiteTensorGetDataStability(as_const_tensor(t));
}

TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor* t) {
    return TfLiteTensorGetDataKnownStep(as_const_tensor(t));
}

TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor* t) {
    return TfLiteTensorGetShapeKnownStep(as_const_tensor(t));
}

TfLiteQuantization TfLiteOpaqueTensorGetQuantization(const TfLiteOpaqueTensor* opaque_tensor) {
    const TfLiteQuantization none = {kTfLiteNoQuantization, NULL};
    return opaque_tensor ? as_const_tensor(opaque_tensor)->quantization : none;
}

TfLiteQuantizationParams TfLiteOpaqueTensorGetQuantizationParams(const TfLiteOpaqueTensor* opaque_tensor) {
    const TfLiteQuantizationParams none = {0};
    return opaque_tensor ? as_const_tensor(opaque_tensor)->params : none;
}

// Tensors know of no interpreter whose reporter could be told.
static _Thread_local char copy_error[256];

const char* oclite_tensor_copy_error(void) {
    return copy_error;
}

static TfLiteStatus fail_copy(const TfLiteTensor* tensor, const char* why) {
    const char* name = tensor != NULL && tensor->name != NULL ? tensor->name : "";
    snprintf(copy_error, sizeof copy_error, "tensor \"%.100s\": %s", name, why);
    const LiteReporter nobody = {0};
    return lite_report(&nobody, "%s", copy_error);
}

// Whether `size` bytes at `buffer` and the tensor's contents are the same amount, and both are there.
static TfLiteStatus check_copy(const TfLiteTensor* tensor, const void* buffer, size_t size) {
    copy_error[0] = '\0';
    if (tensor == NULL) return fail_copy(tensor, "the tensor is NULL");
    if (tensor->bytes != size) {
        char why[96];
        snprintf(why, sizeof why, "has %zu bytes, the buffer %zu", tensor->bytes, size);
        return fail_copy(tensor, why);
    }
    if (size > 0 && tensor->data.raw == NULL)
        return fail_copy(tensor, "has no memory yet: allocate the tensors first");
    return size > 0 && buffer == NULL ? fail_copy(tensor, "the buffer is NULL") : kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor* opaque_tensor, const void* input_data,
                                              size_t input_data_size) {
    TfLiteTensor* tensor = as_tensor(opaque_tensor);
    LITE_TRY(check_copy(tensor, input_data, input_data_size));
    // Constants may lie in a file mapped read-only.
    if (tensor->allocation_type == kTfLiteMmapRo || tensor->allocation_type == kTfLitePersistentRo) {
        return fail_copy(tensor, "is a constant of the model");
    }
    if (input_data_size > 0) memcpy(tensor->data.raw, input_data, input_data_size);
    return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(const TfLiteOpaqueTensor* opaque_tensor, void* output_data,
                                            size_t output_data_size) {
    const TfLiteTensor* tensor = as_const_tensor(opaque_tensor);
    LITE_TRY(check_copy(tensor, output_data, output_data_size));
    if (output_data_size > 0) memcpy(output_data, tensor->data.raw, output_data_size);
    return kTfLiteOk;
}

void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor* tensor) {
    TfLiteTensor* t = as_tensor(tensor);
    if (t == NULL || t->allocation_type == kTfLiteDynamic) return;
    TfLiteTensorDataFree(t);
    t->allocation_type = kTfLiteDynamic;
}

void TfLiteOpaqueTensorSetNonCpuAllocation(TfLiteOpaqueTensor* tensor) {
    TfLiteTensor* t = as_tensor(tensor);
    if (t == NULL || t->allocation_type == kTfLiteNonCpu) return;
    TfLiteTensorDataFree(t);
    t->allocation_type = kTfLiteNonCpu;
}

// Strings. The data of a string tensor is: int32 count, int32 offsets[count + 1] from the start of the data,
// then the characters. It may come from a model, hence the checks.

static int32_t string_word(const TfLiteTensor* tensor, size_t index) {
    int32_t word;
    memcpy(&word, tensor->data.raw + index * sizeof word, sizeof word);
    return word;
}

int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor* tensor) {
    const TfLiteTensor* t = as_const_tensor(tensor);
    if (t == NULL || t->type != kTfLiteString) return -1;
    if (t->data.raw == NULL || t->bytes == 0) return 0;
    if (t->bytes < 2 * sizeof(int32_t)) return -1;
    const int32_t count = string_word(t, 0);
    const size_t words = t->bytes / sizeof(int32_t);
    return count >= 0 && (size_t)count <= words - 2 ? count : -1;
}

TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor* tensor, int index, const char** str,
                                         int* len) {
    if (str == NULL || len == NULL) return kTfLiteError;
    if (index < 0 || index >= TfLiteOpaqueTensorGetStringCount(tensor)) return kTfLiteError;
    const TfLiteTensor* t = as_const_tensor(tensor);
    const int32_t begin = string_word(t, (size_t)index + 1);
    const int32_t end = string_word(t, (size_t)index + 2);
    if (begin < 0 || end < begin || (size_t)end > t->bytes) return kTfLiteError;
    *str = t->data.raw + begin;
    *len = end - begin;
    return kTfLiteOk;
}

// The shape of a tensor that receives `count` strings: its present one if that has as many elements, else a
// vector.
static TfLiteIntArray* string_dims(const TfLiteTensor* tensor, int count) {
    int64_t elements;
    if (tensor->dims != NULL && lite_shape_count(tensor->dims->data, tensor->dims->size, &elements) &&
        elements == count) {
        return TfLiteIntArrayCopy(tensor->dims);
    }
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    if (dims != NULL) dims->data[0] = count;
    return dims;
}

// Bytes of the serialized strings; 0 when they are too many, or one is malformed.
static size_t strings_bytes(const char* const* strings, int count, const int* lengths) {
    if (count < 0 || (count > 0 && (strings == NULL || lengths == NULL))) return 0;
    int64_t bytes = ((int64_t)count + 2) * (int64_t)sizeof(int32_t);
    for (int i = 0; i < count; i++) {
        if (lengths[i] < 0 || (lengths[i] > 0 && strings[i] == NULL)) return 0;
        bytes += lengths[i];
        if (bytes > INT32_MAX) return 0;
    }
    return bytes <= INT32_MAX ? (size_t)bytes : 0;
}

TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor* tensor, const char* const* str_array,
                                            int str_array_len, const int* str_n_len) {
    TfLiteTensor* t = as_tensor(tensor);
    if (t == NULL || t->type != kTfLiteString || t->allocation_type == kTfLiteMmapRo) return kTfLiteError;
    const size_t bytes = strings_bytes(str_array, str_array_len, str_n_len);
    if (bytes == 0) return kTfLiteError;
    char* data = lite_aligned_alloc(64, bytes);
    TfLiteIntArray* dims = string_dims(t, str_array_len);
    if (data == NULL || dims == NULL) {
        lite_free(data);
        TfLiteIntArrayFree(dims);
        return kTfLiteError;
    }
    int32_t offset = (int32_t)((size_t)str_array_len + 2) * (int32_t)sizeof offset;
    memcpy(data, &str_array_len, sizeof offset);
    memcpy(data + sizeof offset, &offset, sizeof offset);
    for (int i = 0; i < str_array_len; i++) {
        if (str_n_len[i] > 0) memcpy(data + offset, str_array[i], (size_t)str_n_len[i]);
        offset += str_n_len[i];
        memcpy(data + ((size_t)i + 2) * sizeof offset, &offset, sizeof offset);
    }
    // Only now: the strings may lie in the old data.
    TfLiteTensorDataFree(t);
    TfLiteIntArrayFree(t->dims);
    t->dims = dims;
    t->data.raw = data;
    t->bytes = bytes;
    t->allocation_type = kTfLiteDynamic;
    return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor* tensor, const char* str, int len) {
    return TfLiteOpaqueTensorWriteStrings(tensor, &str, 1, &len);
}

// The builder collects what TfLiteOpaqueContextAddTensor gives to a new tensor.

struct TfLiteOpaqueTensorBuilder {
    TfLiteType type;
    void* data;
    TfLiteAllocationType allocation_type;
    TfLiteQuantizationParams params;
    TfLiteQuantization quantization;
};

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderCreate(void) {
    return lite_calloc(1, sizeof(TfLiteOpaqueTensorBuilder));
}

void TfLiteOpaqueTensorBuilderDelete(TfLiteOpaqueTensorBuilder* builder) {
    lite_free(builder);
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetType(TfLiteOpaqueTensorBuilder* builder,
                                                            TfLiteType type) {
    if (builder) builder->type = type;
    return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetData(TfLiteOpaqueTensorBuilder* builder, void* data) {
    if (builder) builder->data = data;
    return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetAllocationType(TfLiteOpaqueTensorBuilder* builder,
                                                                      TfLiteAllocationType allocation_type) {
    if (builder) builder->allocation_type = allocation_type;
    return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantizationParams(TfLiteOpaqueTensorBuilder* builder,
                                                                          TfLiteQuantizationParams params) {
    if (builder) builder->params = params;
    return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantization(TfLiteOpaqueTensorBuilder* builder,
                                                                    TfLiteQuantization quantization) {
    if (builder) builder->quantization = quantization;
    return builder;
}

static TfLiteStatus check_builder(TfLiteOpaqueContext* context, const TfLiteOpaqueTensorBuilder* builder) {
    switch (builder->allocation_type) {
    case kTfLiteDynamic:
        if (builder->data != NULL) return kTfLiteOk;
        return lite_fail(context, "AddTensor: a tensor of allocation type kTfLiteDynamic needs data");
    case kTfLiteArenaRw:
    case kTfLiteArenaRwPersistent:
        if (builder->data == NULL) return kTfLiteOk;
        return lite_fail(context, "AddTensor: a tensor in the arena gets its data from the arena");
    default:
        return lite_fail(context,
                         "AddTensor: allocation type %d, expected kTfLiteArenaRw (%d), "
                         "kTfLiteArenaRwPersistent (%d) or kTfLiteDynamic (%d)",
                         (int)builder->allocation_type, (int)kTfLiteArenaRw, (int)kTfLiteArenaRwPersistent,
                         (int)kTfLiteDynamic);
    }
}

TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext* context, TfLiteOpaqueTensorBuilder* builder,
                                          int* new_tensor_index) {
    if (context == NULL || builder == NULL) return kTfLiteError;
    LITE_TRY(check_builder(context, builder));
    TfLiteContext* host = as_context(context);
    int index = -1;
    LITE_TRY(host->AddTensors(host, 1, &index));
    TfLiteTensor* tensor = as_tensor(TfLiteOpaqueContextGetOpaqueTensor(context, index));
    if (tensor == NULL) return lite_fail(context, "AddTensor: new tensor %d is not there", index);
    tensor->type = builder->type;
    tensor->data.data = builder->data;
    tensor->allocation_type = builder->allocation_type;
    tensor->params = builder->params;
    tensor->quantization = builder->quantization;
    if (new_tensor_index != NULL) *new_tensor_index = index;
    return kTfLiteOk;
}
