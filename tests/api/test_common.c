// SPDX-License-Identifier: Apache-2.0
// common.h: arrays, tensors' memory, delegates.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "tensorflow/lite/c/common.h"
#include "tests/api/cmocka_setup.h"

static void arrays(void** state) {
    (void)state;
    TfLiteIntArray* a = TfLiteIntArrayCreate(3);
    assert_non_null(a);
    assert_int_equal(a->size, 3);
    for (int i = 0; i < 3; i++) a->data[i] = i * 7;
    TfLiteIntArray* b = TfLiteIntArrayCopy(a);
    assert_true(TfLiteIntArrayEqual(a, b));
    assert_true(TfLiteIntArrayEqualsArray(a, 3, b->data));
    assert_false(TfLiteIntArrayEqualsArray(a, 2, b->data));
    b->data[2] = 1;
    assert_false(TfLiteIntArrayEqual(a, b));
    assert_false(TfLiteIntArrayEqual(a, NULL));
    assert_true(TfLiteIntArrayEqual(NULL, NULL));
    TfLiteIntArrayFree(a);
    TfLiteIntArrayFree(b);
    TfLiteIntArrayFree(NULL);

    TfLiteFloatArray* f = TfLiteFloatArrayCreate(0);
    assert_non_null(f);
    assert_int_equal(f->size, 0);
    TfLiteFloatArrayFree(f);
}

static void array_sizes(void** state) {
    (void)state;
    assert_int_equal(TfLiteIntArrayGetSizeInBytes(0), sizeof(int));
    assert_int_equal(TfLiteIntArrayGetSizeInBytes(5), 6 * sizeof(int));
    assert_int_equal(TfLiteIntArrayGetSizeInBytes(-1), 0);
    assert_int_equal(TfLiteFloatArrayGetSizeInBytes(3), 16);
    assert_int_equal(TfLiteFloatArrayGetSizeInBytes(-1), 0);
    assert_int_equal(TfLiteFloatArrayGetSizeInBytes(INT32_MAX), 0);
    assert_null(TfLiteIntArrayCreate(-1));
    assert_null(TfLiteFloatArrayCreate(-3));
    assert_null(TfLiteIntArrayCopy(NULL));
    assert_null(TfLiteFloatArrayCopy(NULL));
}

static void type_names(void** state) {
    (void)state;
    assert_string_equal(TfLiteTypeGetName(kTfLiteFloat32), "FLOAT32");
    assert_string_equal(TfLiteTypeGetName(kTfLiteFloat8E5M2), "FLOAT8E5M2");
    for (int type = 0; type <= kTfLiteFloat8E5M2; type++)
        assert_non_null(TfLiteTypeGetName((TfLiteType)type));
    assert_string_equal(TfLiteTypeGetName((TfLiteType)24), "Unknown type");
    assert_string_equal(TfLiteTypeGetName((TfLiteType)-1), "Unknown type");
}

static TfLiteTensor dynamic_tensor(void) {
    TfLiteTensor tensor = {.type = kTfLiteFloat32, .allocation_type = kTfLiteDynamic};
    tensor.dims = TfLiteIntArrayCreate(1);
    tensor.dims->data[0] = 2;
    return tensor;
}

static void realloc_keeps_contents(void** state) {
    (void)state;
    TfLiteTensor tensor = dynamic_tensor();
    assert_int_equal(TfLiteTensorRealloc(4, &tensor), kTfLiteOk);
    memcpy(tensor.data.raw, "abc", 4);
    assert_int_equal(TfLiteTensorRealloc(4000, &tensor), kTfLiteOk);
    assert_int_equal(tensor.bytes, 4000);
    assert_string_equal(tensor.data.raw, "abc");
    assert_int_equal(TfLiteTensorRealloc(0, &tensor), kTfLiteOk);
    assert_non_null(tensor.data.raw);
    assert_int_equal(tensor.bytes, 0);
    assert_int_equal(TfLiteTensorResizeMaybeCopy(64, &tensor, false), kTfLiteOk);
    assert_int_equal((uintptr_t)tensor.data.raw % 64, 0);
    TfLiteTensorFree(&tensor);
    assert_null(tensor.data.raw);
    assert_null(tensor.dims);
}

static void realloc_leaves_other_tensors_alone(void** state) {
    (void)state;
    char memory[4];
    TfLiteTensor tensor = {.allocation_type = kTfLiteArenaRw, .bytes = 4};
    tensor.data.raw = memory;
    assert_int_equal(TfLiteTensorRealloc(400, &tensor), kTfLiteOk);
    assert_ptr_equal(tensor.data.raw, memory);
    assert_int_equal(tensor.bytes, 4);
    assert_int_equal(TfLiteTensorRealloc(1, NULL), kTfLiteError);
    TfLiteTensorDataFree(&tensor);
    assert_null(tensor.data.raw);
    TfLiteTensorDataFree(NULL);
    TfLiteTensorFree(NULL);
}

static void failed_realloc(void** state) {
    (void)state;
    TfLiteTensor tensor = dynamic_tensor();
    assert_int_equal(TfLiteTensorRealloc(4, &tensor), kTfLiteOk);
    lite_memory_fail_after(0);
    assert_int_equal(TfLiteTensorRealloc(400, &tensor), kTfLiteError);
    assert_non_null(tensor.data.raw);
    assert_int_equal(tensor.bytes, 4);
    assert_int_equal(TfLiteTensorResizeMaybeCopy(400, &tensor, false), kTfLiteError);
    assert_int_equal(tensor.bytes, 0);
    lite_memory_fail_after(-1);
    TfLiteTensorFree(&tensor);
}

static void impossible_realloc(void** state) {
    (void)state;
    TfLiteTensor tensor = dynamic_tensor();
    assert_int_equal(TfLiteTensorRealloc(4, &tensor), kTfLiteOk);
    char* data = tensor.data.raw;
    assert_int_equal(TfLiteTensorRealloc(SIZE_MAX - 16, &tensor), kTfLiteError);
    assert_null(tensor.data.raw);
    assert_int_equal(tensor.bytes, 0);
    TfLiteTensorFree(&tensor);
    lite_free(data);
}

// Clients set only what a type or format asks for.
static void unset_fields(void** state) {
    (void)state;
    int garbage = 0;
    TfLiteTensor tensor = {.quantization = {kTfLiteNoQuantization, &garbage}};
    tensor.sparsity = lite_calloc(1, sizeof *tensor.sparsity);
    assert_non_null(tensor.sparsity);
    tensor.sparsity->dim_metadata = lite_calloc(1, sizeof *tensor.sparsity->dim_metadata);
    assert_non_null(tensor.sparsity->dim_metadata);
    tensor.sparsity->dim_metadata_size = 1;
    tensor.sparsity->dim_metadata[0] = (TfLiteDimensionMetadata){
        .format = kTfLiteDimDense, .dense_size = 4, .array_segments = (TfLiteIntArray*)(void*)&garbage};
    TfLiteTensor copy = TfLiteTensorClone(tensor);
    assert_null(copy.quantization.params);
    assert_int_equal(copy.sparsity->dim_metadata[0].dense_size, 4);
    assert_null(copy.sparsity->dim_metadata[0].array_segments);
    TfLiteTensorFree(&copy);
    TfLiteTensorFree(&tensor);
}

static char reported[200];

static void report(struct TfLiteContext* context, const char* format, ...) {
    (void)context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reported, sizeof reported, format, arguments);
    va_end(arguments);
}

static TfLiteStatus ensure_ok(TfLiteContext* context, TfLiteStatus status, bool message) {
    if (message) TF_LITE_ENSURE_OK(context, status, "code %d of %s", 42, "x");
    TF_LITE_ENSURE_OK(context, status);
    return kTfLiteOk;
}

static void ensure_ok_messages(void** state) {
    (void)state;
    TfLiteContext context = {.ReportError = report};
    assert_int_equal(ensure_ok(&context, kTfLiteOk, true), kTfLiteOk);
    assert_int_equal(ensure_ok(&context, kTfLiteCancelled, false), kTfLiteCancelled);
    assert_string_equal(reported, "");
    assert_int_equal(ensure_ok(&context, kTfLiteCancelled, true), kTfLiteCancelled);
    assert_non_null(strstr(reported, "test_common.c code 42 of x"));
}

// An allocator that counts what is in use.
static void* counting_allocate(void* data, size_t bytes, size_t alignment) {
    assert_true(alignment <= _Alignof(max_align_t)); // malloc gives no more
    ++*(int*)data;
    return malloc(bytes);
}
static void* counting_reallocate(void* data, void* pointer, size_t old_bytes, size_t new_bytes,
                                 size_t alignment) {
    (void)data;
    (void)old_bytes;
    assert_true(alignment <= _Alignof(max_align_t));
    return realloc(pointer, new_bytes);
}
static void counting_deallocate(void* data, void* pointer, size_t bytes, size_t alignment) {
    (void)bytes;
    assert_true(alignment <= _Alignof(max_align_t));
    --*(int*)data;
    free(pointer);
}

static void own_allocator(void** state) {
    (void)state;
    int in_use = 0;
    TfLiteAllocator allocator = {&in_use, counting_allocate, counting_reallocate, counting_deallocate};
    TfLiteTensor tensor = {.allocation_type = kTfLiteDynamic};
    assert_int_equal(TfLiteTensorReallocWithAllocator(10, &tensor, &allocator), kTfLiteOk);
    assert_int_equal(TfLiteTensorReallocWithAllocator(20, &tensor, &allocator), kTfLiteOk);
    assert_int_equal(TfLiteTensorResizeMaybeCopyWithAllocator(30, &tensor, false, &allocator), kTfLiteOk);
    assert_int_equal(in_use, 1);
    TfLiteTensorDataFreeWithAllocator(&tensor, &allocator);
    assert_int_equal(in_use, 0);
}

static void copy(void** state) {
    (void)state;
    TfLiteTensor from = dynamic_tensor(), to = dynamic_tensor();
    to.dims->data[0] = 7;
    to.type = kTfLiteInt32;
    assert_int_equal(TfLiteTensorRealloc(8, &from), kTfLiteOk);
    assert_int_equal(TfLiteTensorRealloc(8, &to), kTfLiteOk);
    memcpy(from.data.raw, "1234567", 8);
    assert_int_equal(TfLiteTensorCopy(&from, &to), kTfLiteOk);
    assert_string_equal(to.data.raw, "1234567");
    assert_int_equal(to.dims->data[0], 2);
    assert_int_equal(to.type, kTfLiteFloat32);
    assert_int_equal(TfLiteTensorCopy(&from, &from), kTfLiteOk);
    assert_int_equal(TfLiteTensorCopy(NULL, &to), kTfLiteOk);
    assert_int_equal(TfLiteTensorRealloc(4, &to), kTfLiteOk);
    assert_int_equal(TfLiteTensorCopy(&from, &to), kTfLiteError);
    TfLiteTensorFree(&from);
    TfLiteTensorFree(&to);
}

static TfLiteAffineQuantization* affine(void) {
    TfLiteAffineQuantization* params = malloc(sizeof *params);
    params->scale = TfLiteFloatArrayCreate(1);
    params->scale->data[0] = 0.5f;
    params->zero_point = TfLiteIntArrayCreate(1);
    params->zero_point->data[0] = 3;
    params->quantized_dimension = 1;
    return params;
}

static TfLiteSparsity* sparsity(void) {
    TfLiteSparsity* sparse = calloc(1, sizeof *sparse);
    sparse->traversal_order = TfLiteIntArrayCreate(1);
    sparse->traversal_order->data[0] = 0;
    sparse->dim_metadata = calloc(1, sizeof *sparse->dim_metadata);
    sparse->dim_metadata_size = 1;
    sparse->dim_metadata[0].format = kTfLiteDimSparseCSR;
    sparse->dim_metadata[0].array_segments = TfLiteIntArrayCreate(1);
    sparse->dim_metadata[0].array_segments->data[0] = 0;
    return sparse;
}

static void clone(void** state) {
    (void)state;
    char constant[] = "abcdefg";
    TfLiteTensor from = dynamic_tensor();
    from.allocation_type = kTfLiteMmapRo;
    from.data.raw = constant;
    from.bytes = 8;
    from.quantization = (TfLiteQuantization){kTfLiteAffineQuantization, affine()};
    from.sparsity = sparsity();
    from.dims_signature = TfLiteIntArrayCopy(from.dims);
    TfLiteTensor copied = TfLiteTensorClone(from);
    assert_ptr_equal(copied.data.raw, constant); // which belongs to neither
    assert_int_equal(copied.allocation_type, kTfLiteMmapRo);
    assert_true(TfLiteIntArrayEqual(copied.dims, from.dims));
    const TfLiteAffineQuantization* params = copied.quantization.params;
    assert_int_equal(params->zero_point->data[0], 3);
    assert_ptr_not_equal(params, from.quantization.params);
    assert_int_equal(copied.sparsity->dim_metadata_size, 1);
    TfLiteTensorFree(&copied);

    // Whichever allocation fails, nothing is left behind.
    for (int allowed = 0;; allowed++) {
        lite_memory_fail_after(allowed);
        copied = TfLiteTensorClone(from);
        const bool complete = copied.data.raw != NULL;
        TfLiteTensorFree(&copied);
        if (complete) break;
    }
    lite_memory_fail_after(-1);
    TfLiteTensorFree(&from);
}

static void clone_of_memory(void** state) {
    (void)state;
    static const TfLiteAllocationType shared[] = {kTfLiteArenaRw, kTfLiteArenaRwPersistent, kTfLiteCustom,
                                                  kTfLiteMemNone, kTfLiteNonCpu};
    static const TfLiteAllocationType owned[] = {kTfLiteDynamic, kTfLitePersistentRo};
    TfLiteTensor from = dynamic_tensor();
    assert_int_equal(TfLiteTensorRealloc(4, &from), kTfLiteOk);
    memcpy(from.data.raw, "abc", 4);
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        from.allocation_type = shared[i];
        TfLiteTensor copied = TfLiteTensorClone(from);
        assert_ptr_equal(copied.data.raw, from.data.raw);
        assert_int_equal(copied.allocation_type, shared[i]);
        TfLiteTensorFree(&copied);
    }
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) {
        from.allocation_type = owned[i];
        TfLiteTensor copied = TfLiteTensorClone(from);
        assert_ptr_not_equal(copied.data.raw, from.data.raw);
        assert_string_equal(copied.data.raw, "abc");
        assert_int_equal(copied.allocation_type, owned[i]);
        TfLiteTensorFree(&copied);
    }
    TfLiteTensorFree(&from);
}

static void reset(void** state) {
    (void)state;
    TfLiteTensor tensor = dynamic_tensor();
    tensor.quantization = (TfLiteQuantization){kTfLiteAffineQuantization, affine()};
    assert_int_equal(TfLiteTensorRealloc(8, &tensor), kTfLiteOk);
    char memory[1];
    TfLiteTensorReset(kTfLiteInt8, "name", NULL, (TfLiteQuantizationParams){0.5f, 1}, memory, 1,
                      kTfLiteArenaRw, NULL, true, &tensor);
    assert_int_equal(tensor.type, kTfLiteInt8);
    assert_string_equal(tensor.name, "name");
    assert_int_equal(tensor.quantization.type, kTfLiteNoQuantization);
    assert_null(tensor.quantization.params);
    assert_true(tensor.is_variable);
    assert_ptr_equal(tensor.data.raw, memory);
    TfLiteTensorFree(&tensor);
}

static void multi_axis_quantization(void** state) {
    (void)state;
    TfLiteMultiAxisQuantization* params = calloc(1, sizeof *params);
    params->quantized_dimensions = TfLiteIntArrayCreate(2);
    memset(params->quantized_dimensions->data, 0, 2 * sizeof(int));
    TfLiteTensor from = {.quantization = {kTfLiteMultiAxisQuantization, params}};
    TfLiteTensor copied = TfLiteTensorClone(from);
    assert_int_equal(copied.quantization.type, kTfLiteMultiAxisQuantization);
    TfLiteTensorFree(&copied);
    TfLiteTensorFree(&from);
    TfLiteQuantizationFree(NULL);
    TfLiteSparsityFree(NULL);
}

// The answers of the reference library for each allocation type.
static void allocation_facts(void** state) {
    (void)state;
    static const int strategy[] = {1, 2, 3, 3, 4, 4, 0, 5, 0, 0};
    static const int address[] = {3, 3, 1, 1, 2, 2, 0, 3, 0, 0};
    static const int data[] = {3, 3, 2, 3, 2, 2, 0, 2, 0, 0};
    static const int data_known[] = {1, 1, 3, 3, 3, 2, 0, 3, 0, 0};
    static const int shape_known[] = {1, 1, 2, 2, 3, 2, 0, 3, 0, 0};
    for (int type = 0; type < 10; type++) {
        const TfLiteTensor tensor = {.allocation_type = (TfLiteAllocationType)type};
        assert_int_equal(TfLiteTensorGetAllocationStrategy(&tensor), strategy[type]);
        assert_int_equal(TfLiteTensorGetBufferAddressStability(&tensor), address[type]);
        assert_int_equal(TfLiteTensorGetDataStability(&tensor), data[type]);
        assert_int_equal(TfLiteTensorGetDataKnownStep(&tensor), data_known[type]);
        assert_int_equal(TfLiteTensorGetShapeKnownStep(&tensor), shape_known[type]);
    }
    assert_int_equal(TfLiteTensorGetAllocationStrategy(NULL), kTfLiteAllocationStrategyUnknown);
}

static void dims_signature(void** state) {
    (void)state;
    TfLiteTensor tensor = dynamic_tensor();
    assert_ptr_equal(TfLiteTensorGetDimsSignature(&tensor), tensor.dims);
    tensor.dims_signature = TfLiteIntArrayCopy(tensor.dims);
    assert_ptr_equal(TfLiteTensorGetDimsSignature(&tensor), tensor.dims_signature);
    assert_null(TfLiteTensorGetDimsSignature(NULL));
    TfLiteTensorFree(&tensor);
}

static void delegates(void** state) {
    (void)state;
    const TfLiteDelegate plain = TfLiteDelegateCreate();
    assert_null(plain.Prepare);
    assert_int_equal(plain.flags, kTfLiteDelegateFlagsNone);

    int mine = 0;
    const TfLiteOpaqueDelegateBuilder builder = {.data = &mine, .flags = 1};
    TfLiteOpaqueDelegate* opaque = TfLiteOpaqueDelegateCreate(&builder);
    assert_non_null(opaque);
    assert_ptr_equal(TfLiteOpaqueDelegateGetData(opaque), &mine);
    assert_ptr_not_equal(opaque->opaque_delegate_builder, &builder);
    TfLiteOpaqueDelegateDelete(opaque);
    TfLiteOpaqueDelegateDelete(NULL);
    assert_null(TfLiteOpaqueDelegateCreate(NULL));
    assert_null(TfLiteOpaqueDelegateGetData(NULL));
    for (int allowed = 0; allowed < 2; allowed++) {
        lite_memory_fail_after(allowed);
        assert_null(TfLiteOpaqueDelegateCreate(&builder));
    }
    lite_memory_fail_after(-1);

    TfLiteDelegate with_data = TfLiteDelegateCreate();
    with_data.data_ = &mine;
    assert_ptr_equal(TfLiteOpaqueDelegateGetData(&with_data), &mine);
    assert_true((intptr_t)TfLiteKernelInitFailed() == -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays),
        cmocka_unit_test(array_sizes),
        cmocka_unit_test(type_names),
        cmocka_unit_test(realloc_keeps_contents),
        cmocka_unit_test(realloc_leaves_other_tensors_alone),
        cmocka_unit_test(failed_realloc),
        cmocka_unit_test(impossible_realloc),
        cmocka_unit_test(unset_fields),
        cmocka_unit_test(ensure_ok_messages),
        cmocka_unit_test(own_allocator),
        cmocka_unit_test(copy),
        cmocka_unit_test(clone),
        cmocka_unit_test(clone_of_memory),
        cmocka_unit_test(reset),
        cmocka_unit_test(multi_axis_quantization),
        cmocka_unit_test(allocation_facts),
        cmocka_unit_test(dims_signature),
        cmocka_unit_test(delegates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
