// SPDX-License-Identifier: Apache-2.0
// operator.h: every spelling of making an operator and of setting its functions.
#include "core/base/memory.h"
#include "core/base/operator.h"
#include "tensorflow/lite/c/operator.h"
#include "tests/api/cmocka_setup.h"

static void* init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)length;
    return (void*)buffer;
}
static void* init_with_data(void* user_data, TfLiteOpaqueContext* context, const char* buffer,
                            size_t length) {
    (void)context;
    (void)buffer;
    (void)length;
    return user_data;
}
static void release(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    (void)data;
}
static void release_with_data(void* user_data, TfLiteOpaqueContext* context, void* data) {
    (void)user_data;
    (void)context;
    (void)data;
}
static TfLiteStatus method(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    (void)node;
    return kTfLiteOk;
}
static TfLiteStatus method_with_data(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)user_data;
    (void)context;
    (void)node;
    return kTfLiteOk;
}
static TfLiteAsyncKernel* async_kernel(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    return (TfLiteAsyncKernel*)node;
}
static TfLiteAsyncKernel* async_kernel_with_data(void* user_data, TfLiteOpaqueContext* context,
                                                 TfLiteOpaqueNode* node) {
    (void)context;
    (void)node;
    return user_data;
}

static void check_identity(const TfLiteOperator* op, const void* user_data) {
    assert_non_null(op);
    assert_int_equal(TfLiteOperatorGetBuiltInCode(op), kTfLiteBuiltinCustom);
    assert_string_equal(TfLiteOperatorGetCustomName(op), "Name");
    assert_int_equal(TfLiteOperatorGetVersion(op), 3);
    assert_ptr_equal(TfLiteOperatorGetUserData(op), user_data);
    assert_null(op->init);
    assert_null(op->prepare_with_data);
}

static void spellings(void** state) {
    (void)state;
    int mine;
    TfLiteOperator* three = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Name", 3);
    TfLiteOperator* four = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Name", 3, &mine);
    TfLiteOperator* with_data = TfLiteOperatorCreateWithData(kTfLiteBuiltinCustom, "Name", 3, &mine);
    TfLiteRegistrationExternal* external = TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "Name", 3);
    check_identity(three, NULL);
    check_identity(four, &mine);
    check_identity(with_data, &mine);
    check_identity(external, NULL);
    assert_int_equal(TfLiteRegistrationExternalGetBuiltInCode(external), kTfLiteBuiltinCustom);
    assert_string_equal(TfLiteRegistrationExternalGetCustomName(external), "Name");
    assert_int_equal(TfLiteRegistrationExternalGetVersion(external), 3);
    TfLiteOperatorDelete(three);
    TfLiteOperatorDelete(four);
    TfLiteOperatorDelete(with_data);
    TfLiteRegistrationExternalDelete(external);
    // The symbol itself takes four arguments.
    TfLiteOperator* (*create)(TfLiteBuiltinOperator, const char*, int, void*) = TfLiteOperatorCreate;
    TfLiteOperatorDelete(create(kTfLiteBuiltinAdd, NULL, 1, NULL));
}

static void setters(void** state) {
    (void)state;
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Name", 1);
    TfLiteOperatorSetInit(op, init);
    TfLiteOperatorSetFree(op, release);
    TfLiteOperatorSetPrepare(op, method);
    TfLiteOperatorSetInvoke(op, method);
    TfLiteOperatorSetAsyncKernel(op, async_kernel);
    TfLiteOperatorSetInplaceOperator(op, kTfLiteInplaceOpInput0Shared);
    assert_true(op->init == init && op->free == release && op->prepare == method && op->invoke == method);
    assert_true(op->async_kernel == async_kernel);
    assert_int_equal(op->inplace_operator, kTfLiteInplaceOpInput0Shared);

    assert_int_equal(TfLiteOperatorSetInitWithData(op, init_with_data), kTfLiteOk);
    assert_int_equal(TfLiteOperatorSetFreeWithData(op, release_with_data), kTfLiteOk);
    assert_int_equal(TfLiteOperatorSetPrepareWithData(op, method_with_data), kTfLiteOk);
    assert_int_equal(TfLiteOperatorSetInvokeWithData(op, method_with_data), kTfLiteOk);
    assert_int_equal(TfLiteOperatorSetAsyncKernelWithData(op, async_kernel_with_data), kTfLiteOk);
    assert_true(op->init == NULL && op->init_with_data == init_with_data);
    assert_true(op->invoke == NULL && op->invoke_with_data == method_with_data);

    TfLiteRegistrationExternalSetInit(op, init);
    TfLiteRegistrationExternalSetFree(op, release);
    TfLiteRegistrationExternalSetPrepare(op, method);
    TfLiteRegistrationExternalSetInvoke(op, method);
    TfLiteRegistrationExternalSetAsyncKernel(op, async_kernel);
    assert_true(op->init == init && op->free == release && op->prepare == method && op->invoke == method);
    assert_true(op->async_kernel == async_kernel && op->async_kernel_with_data == NULL);
    TfLiteOperatorDelete(op);
}

static void nothing_given(void** state) {
    (void)state;
    TfLiteOperatorDelete(NULL);
    TfLiteOperatorSetInit(NULL, init);
    TfLiteOperatorSetInplaceOperator(NULL, 1);
    assert_int_equal(TfLiteOperatorSetInvokeWithData(NULL, method_with_data), kTfLiteError);
    assert_null(TfLiteOperatorGetCustomName(NULL));
    assert_null(TfLiteOperatorGetUserData(NULL));
    assert_int_equal(TfLiteOperatorGetVersion(NULL), -1);
    lite_memory_fail_after(0);
    assert_null(TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Name", 1));
    lite_memory_fail_after(-1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings),
        cmocka_unit_test(setters),
        cmocka_unit_test(nothing_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
