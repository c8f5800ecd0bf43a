// SPDX-License-Identifier: Apache-2.0
// Delegates in the C++ API: given to the builder or the interpreter, owned or not.
#include "tests/api/cxx.h"

namespace {

// Takes all nodes and fills the output with a number. Buffer handle 7 holds the number 70.
struct Delegate : TfLiteDelegate {
    Delegate(float value, TfLiteStatus status) : TfLiteDelegate(TfLiteDelegateCreate()), result(value) {
        data_ = this;
        prepare_status = status;
        Prepare = PrepareGraph;
        CopyFromBufferHandle = Copy;
        alive++;
    }
    ~Delegate() { alive--; }

    static TfLiteStatus PrepareGraph(TfLiteContext* context, TfLiteDelegate* delegate) {
        auto* self = static_cast<Delegate*>(delegate->data_);
        if (self->prepare_status != kTfLiteOk) return self->prepare_status;
        TfLiteIntArray* plan;
        TF_LITE_ENSURE_STATUS(context->GetExecutionPlan(context, &plan));
        TfLiteRegistration kernel = {};
        kernel.custom_name = "Constant";
        kernel.init = [](TfLiteContext*, const char* buffer, size_t) -> void* {
            return reinterpret_cast<const TfLiteDelegateParams*>(buffer)->delegate->data_;
        };
        kernel.invoke = [](TfLiteContext* c, TfLiteNode* node) {
            TfLiteTensor* output = &c->tensors[node->outputs->data[0]];
            const float value = static_cast<Delegate*>(node->user_data)->result;
            for (size_t i = 0; i < output->bytes / sizeof(float); i++) output->data.f[i] = value;
            return kTfLiteOk;
        };
        return context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
    }
    static TfLiteStatus Copy(TfLiteContext*, TfLiteDelegate*, TfLiteBufferHandle handle,
                             TfLiteTensor* tensor) {
        for (size_t i = 0; i < tensor->bytes / sizeof(float); i++) {
            tensor->data.f[i] = 10 * static_cast<float>(handle);
        }
        return kTfLiteOk;
    }

    float result;
    TfLiteStatus prepare_status;
    static int alive;
};
int Delegate::alive;

void Delete(TfLiteDelegate* delegate) {
    delete static_cast<Delegate*>(delegate->data_);
}

void builder_applies_them(void**) {
    TestModel test(cxx_model_adds());
    const tflite::ops::builtin::BuiltinOpResolver resolver;
    Delegate works(5, kTfLiteOk), fails(0, kTfLiteError);
    tflite::InterpreterBuilder builder(*test.model, resolver);
    builder.AddDelegate(&works);
    std::unique_ptr<tflite::Interpreter> interpreter;
    assert_int_equal(builder(&interpreter), kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter->execution_plan().size(), 1);
    assert_string_equal(interpreter->node_and_registration(3)->second.custom_name, "Constant");
    ExpectRun(interpreter.get(), {1, 2, 3}, {5, 5, 5});
    builder.AddDelegate(reinterpret_cast<TfLiteOpaqueDelegateStruct*>(static_cast<TfLiteDelegate*>(&fails)));
    assert_int_equal(builder(&interpreter), kTfLiteDelegateError);
    assert_true(interpreter == nullptr);
}

void interpreter_applies_them(void**) {
    TestModel test(cxx_model_adds());
    auto interpreter = test.Build();
    Delegate fails(0, kTfLiteError), works(6, kTfLiteOk);
    assert_int_equal(interpreter->ModifyGraphWithDelegate(static_cast<TfLiteDelegate*>(nullptr)),
                     kTfLiteDelegateError);
    assert_int_equal(interpreter->ModifyGraphWithDelegate(&fails), kTfLiteDelegateError);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {8, 16, 24});
    assert_int_equal(interpreter->ModifyGraphWithDelegate(&works), kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {6, 6, 6});
    interpreter.reset();
    assert_int_equal(Delegate::alive, 2);
}

void interpreter_owns_them(void**) {
    TestModel test(cxx_model_adds());
    auto interpreter = test.Build();
    tflite::Interpreter::TfLiteDelegatePtr by_function(new Delegate(7, kTfLiteOk), Delete);
    assert_int_equal(interpreter->ModifyGraphWithDelegate(std::move(by_function)), kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {7, 7, 7});
    // A class of its own, deleted as that. One that fails is kept too, and the CPU runs the model from then
    // on.
    assert_int_equal(interpreter->ModifyGraphWithDelegate(std::make_unique<Delegate>(0, kTfLiteError)),
                     kTfLiteDelegateError);
    assert_int_equal(interpreter->ModifyGraphWithDelegate(std::unique_ptr<Delegate>()), kTfLiteDelegateError);
    const auto deleter = [](TfLiteDelegate* delegate) { Delete(delegate); };
    std::unique_ptr<TfLiteDelegate, decltype(deleter)> by_lambda(new Delegate(0, kTfLiteError), deleter);
    assert_int_equal(interpreter->ModifyGraphWithDelegate(std::move(by_lambda)), kTfLiteDelegateError);
    ExpectRun(interpreter.get(), {1, 2, 3}, {8, 16, 24});
    assert_int_equal(Delegate::alive, 3);
    interpreter.reset();
    assert_int_equal(Delegate::alive, 0);
}

void buffer_handles(void**) {
    TestModel test(cxx_model_adds());
    Delegate delegate(8, kTfLiteOk);
    const auto interpreter = test.Build();
    assert_int_equal(interpreter->ModifyGraphWithDelegate(&delegate), kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter->SetBufferHandle(3, 7, &delegate), kTfLiteOk);
    assert_int_equal(interpreter->SetBufferHandle(99, 7, &delegate), kTfLiteError);
    TfLiteBufferHandle handle = 0;
    TfLiteDelegate* owner = nullptr;
    assert_int_equal(interpreter->GetBufferHandle(3, &handle, &owner), kTfLiteOk);
    assert_int_equal(handle, 7);
    assert_ptr_equal(owner, static_cast<TfLiteDelegate*>(&delegate));
    interpreter->SetAllowBufferHandleOutput(true);
    interpreter->output_tensor(0)->data_is_stale = true; // as a delegate's kernel says it
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    assert_true(interpreter->typed_output_tensor<float>(0)[0] == 8);
    assert_int_equal(interpreter->EnsureTensorDataIsReadable(3), kTfLiteOk);
    assert_true(interpreter->typed_output_tensor<float>(0)[0] == 70);
    interpreter->SetAllowBufferHandleOutput(false);
    interpreter->output_tensor(0)->data_is_stale = true;
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    assert_true(interpreter->typed_output_tensor<float>(0)[0] == 70);
    assert_int_equal(interpreter->EnsureTensorDataIsReadable(99), kTfLiteError);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(builder_applies_them),
        cmocka_unit_test(interpreter_applies_them),
        cmocka_unit_test(interpreter_owns_them),
        cmocka_unit_test(buffer_handles),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
