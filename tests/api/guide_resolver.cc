// SPDX-License-Identifier: Apache-2.0
// The guide's section "Register the operator with the library", of all editions, with the C++ API: its
// resolvers, and its model with the operators of its C++ and C listings. Links liboclite as a program does.
//
//   test_guide_cxx MODEL            (examples/models/atan.tflite)
#include <cmath>
#include <cstdio>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/guide.h"

namespace {

const char* model_path;

class Messages : public tflite::ErrorReporter {
  public:
    int Report(const char* format, va_list args) override {
        char line[512];
        const int length = std::vsnprintf(line, sizeof line, format, args);
        text += line;
        return length;
    }
    std::string text;
};

// The guide's names, for the functions of its other sections.
TfLiteRegistration AtanOpRegistration() {
    return guide_cc_atan_registration();
}
const TfLiteOperator* AtanOperator() {
    return guide_cc_atan();
}

TfLiteStatus RunModel(const tflite::OpResolver& resolver, Messages* messages) {
    const auto model = tflite::FlatBufferModel::BuildFromFile(model_path, messages);
    assert_true(model != nullptr);
    std::unique_ptr<tflite::Interpreter> interpreter;
    assert_int_equal(tflite::InterpreterBuilder(*model, resolver)(&interpreter), kTfLiteOk);
    const TfLiteStatus status = interpreter->AllocateTensors();
    if (status != kTfLiteOk) return status;
    const float x[5] = {-8.0f, 0.5f, 2.0f, 2.2f, 201.0f};
    const float y[5] = {-1.4288993f, 0.98279375f, 1.2490457f, 1.2679114f, 1.5658458f};
    for (int i = 0; i < 5; i++) interpreter->typed_input_tensor<float>(0)[i] = x[i];
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    for (int i = 0; i < 5; i++) {
        assert_float_equal(interpreter->typed_output_tensor<float>(0)[i], y[i], 1e-6f);
    }
    return kTfLiteOk;
}

void ExpectValues(const tflite::OpResolver& resolver) {
    Messages messages;
    assert_int_equal(RunModel(resolver, &messages), kTfLiteOk);
    assert_string_equal(messages.text.c_str(), "");
}

// "Regular usage": the builtins alone, which this model is not content with.
void builtins_alone(void**) {
    tflite::ops::builtin::BuiltinOpResolver resolver;
    Messages messages;
    assert_int_not_equal(RunModel(resolver, &messages), kTfLiteOk);
    assert_true(messages.text.find("Encountered unresolved custom op: Atan.") != std::string::npos);
    assert_true(messages.text.find("Node number 1") != std::string::npos);
}

// The earlier editions: AddCustom. The operator calls itself "ATAN".
void mutable_resolver_with_add_custom(void**) {
    tflite::ops::builtin::MutableOpResolver resolver;
    resolver.AddAll(tflite::ops::builtin::BuiltinOpResolver());
    resolver.AddCustom("Atan", AtanOpRegistration());
    ExpectValues(resolver);
}

// The newest edition: AddOp. Here the operator's own name counts; the guide's "ATAN" is not the model's
// "Atan", as the message says.
void mutable_resolver_with_add_op(void**) {
    tflite::ops::builtin::MutableOpResolver resolver;
    resolver.AddAll(tflite::ops::builtin::BuiltinOpResolver());
    tflite::AddOp(&resolver, AtanOperator());
    tflite::AddOp(&resolver, AtanOpRegistration()); // as the listing has it
    Messages messages;
    assert_int_not_equal(RunModel(resolver, &messages), kTfLiteOk);
    assert_true(messages.text.find("Encountered unresolved custom op: Atan.") != std::string::npos);
    assert_true(messages.text.find("'ATAN'") != std::string::npos);
    tflite::AddOp(&resolver, guide_c_methods()); // named "Atan"
    ExpectValues(resolver);
    tflite::AddOp(&resolver, guide_cc_temporary_external());
    ExpectValues(resolver);
}

// "Add as many as you need": every operator of every listing, each in turn under the model's name.
void many_custom_operators(void**) {
    tflite::ops::builtin::MutableOpResolver resolver;
    resolver.AddAll(tflite::ops::builtin::BuiltinOpResolver());
    tflite::AddOp(&resolver, guide_cc_custom());
    tflite::AddOp(&resolver, guide_c_custom());
    resolver.AddCustom("A", guide_c_atan_registration());
    resolver.AddCustom("B", guide_c_custom_registration());
    resolver.AddCustom("C", guide_cc_custom_registration());
    resolver.AddCustom("D", guide_cc_atan_registration());
    for (const char* name : {"MyCustomOp", "A", "B", "C", "D"}) {
        resolver.AddCustom("Atan", resolver.FindOp(name, 1));
        ExpectValues(resolver);
    }
}

// The class as the guide declares it (without the version that it leaves out).
class OneOpResolver : public tflite::OpResolver {
  public:
    const TfLiteRegistration* FindOp(tflite::BuiltinOperator op, int version) const override {
        return builtins_.FindOp(op, version);
    }
    const TfLiteRegistration* FindOp(const char* op, int version) const override {
        static const TfLiteRegistration atan_op = AtanOpRegistration();
        return std::string(op) == "Atan" && version == 1 ? &atan_op : nullptr;
    }

  private:
    tflite::ops::builtin::BuiltinOpResolver builtins_;
};

void resolver_of_ones_own(void**) {
    const OneOpResolver resolver;
    ExpectValues(resolver);
    const tflite::OpResolver& base = resolver;
    assert_non_null(base.FindOp(tflite::BuiltinOperator_ADD));
    assert_non_null(base.FindOp("Atan"));
    assert_null(base.FindOp("Sin"));
}

// "AddBuiltin overrides": ADD, which gives x + offset, is computed by an operator of the program.
TfLiteStatus AddPrepare(TfLiteContext*, TfLiteNode*) {
    return kTfLiteOk;
}
int additions;
TfLiteStatus AddInvoke(TfLiteContext* context, TfLiteNode* node) {
    additions++;
    const TfLiteTensor& output = context->tensors[node->outputs->data[0]];
    const TfLiteTensor& x = context->tensors[node->inputs->data[0]];
    const TfLiteTensor& offset = context->tensors[node->inputs->data[1]];
    for (size_t i = 0; i < output.bytes / sizeof(float); i++)
        output.data.f[i] = x.data.f[i] + offset.data.f[0];
    return kTfLiteOk;
}

void overridden_builtin(void**) {
    tflite::ops::builtin::MutableOpResolver resolver;
    resolver.AddAll(tflite::ops::builtin::BuiltinOpResolver());
    resolver.AddCustom("Atan", AtanOpRegistration());
    TfLiteRegistration add = {};
    add.prepare = AddPrepare;
    add.invoke = AddInvoke;
    resolver.AddBuiltin(tflite::BuiltinOperator_ADD, &add);
    ExpectValues(resolver);
    assert_int_equal(additions, 1);
}

} // namespace

int main(int argc, char** argv) {
    model_path = argc > 1 ? argv[1] : "examples/models/atan.tflite";
    const CMUnitTest tests[] = {
        cmocka_unit_test(builtins_alone),
        cmocka_unit_test(mutable_resolver_with_add_custom),
        cmocka_unit_test(mutable_resolver_with_add_op),
        cmocka_unit_test(many_custom_operators),
        cmocka_unit_test(resolver_of_ones_own),
        cmocka_unit_test(overridden_builtin),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
