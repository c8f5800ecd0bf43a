// SPDX-License-Identifier: Apache-2.0
// Models of the official FlatBuffers library: tflite::Model is the root table that flatc's header declares.
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/model.h"
#include "tests/api/cxx.h"
#include "tflite/schema/schema_generated.h"

using tflite::FlatBufferModel;
using tflite::Interpreter;
using tflite::InterpreterBuilder;
using BuiltinOpResolver = tflite::ops::builtin::BuiltinOpResolver;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

namespace {

std::string models; // the folder

const char* const kDescription = "made by the official library";

// y = x + c of float32 [3]. Without names and with the same options twice, as tests write models.
Offset<tflite::Model> MakeModel(FlatBufferBuilder& b, int version = 3, bool outside = false) {
    const float values[] = {10, 20, 30};
    std::vector<uint8_t> bytes(sizeof values);
    memcpy(bytes.data(), values, sizeof values);
    const std::vector<int32_t> shape = {3};
    const auto contents =
        outside ? tflite::CreateBuffer(b, 0, 4096, 12) : tflite::CreateBuffer(b, b.CreateVector(bytes));
    const std::vector<Offset<tflite::Buffer>> buffers = {tflite::CreateBuffer(b), contents};
    std::vector<Offset<tflite::Tensor>> tensors;
    for (uint32_t buffer : {0u, 1u, 0u}) {
        tensors.push_back(tflite::CreateTensor(b, b.CreateVector(shape), tflite::TensorType_FLOAT32, buffer));
    }
    const std::vector<Offset<tflite::OperatorCode>> codes = {
        tflite::CreateOperatorCode(b, 0, 0, 1, tflite::BuiltinOperator_ADD)};
    const std::vector<int32_t> operands = {0, 1}, results = {2};
    const std::vector<Offset<tflite::Operator>> operators = {tflite::CreateOperatorDirect(
        b, 0, &operands, &results, tflite::BuiltinOptions_AddOptions, tflite::CreateAddOptions(b).Union())};
    const std::vector<int32_t> inputs = {0}, outputs = {2};
    const std::vector<Offset<tflite::SubGraph>> subgraphs = {
        tflite::CreateSubGraphDirect(b, &tensors, &inputs, &outputs, &operators)};
    return tflite::CreateModelDirect(b, static_cast<uint32_t>(version), &codes, &subgraphs, kDescription,
                                     &buffers);
}

void ExpectSum(Interpreter* interpreter) {
    assert_non_null(interpreter);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter, {1, 2, 3}, {11, 22, 33});
}

// Runs a root table in both ways.
void ExpectModel(const tflite::Model* root) {
    RecordingReporter reporter;
    std::unique_ptr<Interpreter> interpreter;
    assert_int_equal(InterpreterBuilder(root, BuiltinOpResolver(), &reporter)(&interpreter), kTfLiteOk);
    ExpectSum(interpreter.get());
    const auto model = FlatBufferModel::BuildFromModel(root, &reporter);
    assert_true(model != nullptr);
    assert_ptr_equal(model->GetModel(), root);
    assert_int_equal(InterpreterBuilder(*model, BuiltinOpResolver())(&interpreter), kTfLiteOk);
    ExpectSum(interpreter.get());
    assert_string_equal(reporter.messages.c_str(), "");
}

void finished_in_every_way(void**) {
    const std::function<void(FlatBufferBuilder&)> ways[] = {
        [](FlatBufferBuilder& b) { tflite::FinishModelBuffer(b, MakeModel(b)); },
        [](FlatBufferBuilder& b) { b.Finish(MakeModel(b)); }, // no identifier
    };
    for (const auto& finish : ways) {
        FlatBufferBuilder b;
        finish(b);
        ExpectModel(tflite::GetModel(b.GetBufferPointer()));
    }
    FlatBufferBuilder b;
    tflite::FinishSizePrefixedModelBuffer(b, MakeModel(b));
    ExpectModel(tflite::GetSizePrefixedModel(b.GetBufferPointer()));
}

// At any address, in memory that ends with the model: the sanitizer sees what is read beyond.
void at_any_address(void**) {
    FlatBufferBuilder b;
    b.Finish(MakeModel(b));
    for (size_t shift = 0; shift < 16; shift++) {
        const std::unique_ptr<uint8_t[]> memory(new uint8_t[shift + b.GetSize()]);
        memcpy(memory.get() + shift, b.GetBufferPointer(), b.GetSize());
        // The official GetModel reads the offset of the root where it is not aligned.
        uint32_t root;
        memcpy(&root, memory.get() + shift, sizeof root);
        ExpectModel(reinterpret_cast<const tflite::Model*>(memory.get() + shift + root));
    }
}

// What other writers make has its parts in other places.
void of_files(void**) {
    for (const char* name : {"atan.tflite", "digits.tflite"}) {
        const auto file = FlatBufferModel::BuildFromFile((models + "/" + name).c_str());
        assert_true(file != nullptr);
        assert_int_equal((*file)->version(), 3);
        assert_int_equal(file->GetModel()->subgraphs()->size(), 1);
        const size_t size = file->allocation()->bytes();
        const std::unique_ptr<char[]> bytes(new char[size]);
        memcpy(bytes.get(), file->allocation()->base(), size);
        const auto copy = FlatBufferModel::BuildFromModel(tflite::GetModel(bytes.get()));
        assert_true(copy != nullptr);
        assert_true(copy->ReadAllMetadata() == file->ReadAllMetadata());
        assert_true(FlatBufferModel::ReadAllMetadata(file->GetModel()) == file->ReadAllMetadata());
    }
    TestModel ours(cxx_model_adds());
    assert_int_equal((*ours.model)->subgraphs()->Get(0)->tensors()->size(), 4);
    const auto copy = FlatBufferModel::BuildFromModel(ours.model->GetModel());
    std::unique_ptr<Interpreter> interpreter;
    assert_int_equal(InterpreterBuilder(*copy, BuiltinOpResolver())(&interpreter), kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {8, 16, 24});
}

// Read, changed and written again by the official library.
void changed_by_the_library(void**) {
    TestModel adds(cxx_model_adds());
    std::unique_ptr<tflite::ModelT> tables(adds.model->GetModel()->UnPack());
    for (auto& code : tables->operator_codes) {
        assert_int_equal(code->builtin_code, tflite::BuiltinOperator_ADD);
        code->builtin_code = tflite::BuiltinOperator_MUL;
        code->deprecated_builtin_code = tflite::BuiltinOperator_MUL;
    }
    for (auto& op : tables->subgraphs[0]->operators) op->builtin_options.Set(tflite::MulOptionsT());
    FlatBufferBuilder b;
    b.Finish(tflite::Model::Pack(b, tables.get()));
    std::unique_ptr<Interpreter> interpreter;
    const BuiltinOpResolver resolver;
    InterpreterBuilder builder(tflite::GetModel(b.GetBufferPointer()), resolver);
    assert_int_equal(builder(&interpreter), kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, -1}, {1, 256, 1});
}

void roots_that_are_none(void**) {
    RecordingReporter reporter;
    std::unique_ptr<Interpreter> interpreter(new Interpreter);
    assert_int_equal(InterpreterBuilder(nullptr, BuiltinOpResolver(), &reporter)(&interpreter), kTfLiteError);
    assert_true(interpreter == nullptr);
    assert_true(reporter.Has("Null pointer passed in as model."));
    assert_true(FlatBufferModel::BuildFromModel(nullptr, &reporter) == nullptr);
    FlatBufferBuilder old;
    old.Finish(MakeModel(old, 2));
    assert_true(FlatBufferModel::BuildFromModel(tflite::GetModel(old.GetBufferPointer()), &reporter) ==
                nullptr);
    assert_true(reporter.Has("Model provided is schema version 2, not equal to supported version 3"));
    FlatBufferBuilder outside;
    outside.Finish(MakeModel(outside, 3, true));
    const tflite::Model* root = tflite::GetModel(outside.GetBufferPointer());
    assert_true(FlatBufferModel::BuildFromModel(root, &reporter) == nullptr);
    assert_true(reporter.Has("weights not accessible from tflite::Model *"));
    FlatBufferBuilder empty;
    empty.Finish(tflite::CreateModel(empty, 3));
    assert_true(FlatBufferModel::BuildFromModel(tflite::GetModel(empty.GetBufferPointer()), &reporter) ==
                nullptr);
    assert_true(reporter.Has("No buffers in the model"));
    // A vtable and an offset that lead nowhere near.
    alignas(8) uint8_t nonsense[64] = {};
    const int32_t far = 7;
    memcpy(nonsense + 32, &far, sizeof far);
    assert_true(FlatBufferModel::BuildFromModel(reinterpret_cast<tflite::Model*>(nonsense + 32), &reporter) ==
                nullptr);
}

// With the bytes around it contents outside of the FlatBuffer are found, and are wrong here.
void builders_with_an_allocation(void**) {
    FlatBufferBuilder b;
    tflite::FinishModelBuffer(b, MakeModel(b, 3, true));
    std::vector<uint8_t> bytes(b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize());
    RecordingReporter reporter;
    const BuiltinOpResolver resolver;
    std::unique_ptr<Interpreter> interpreter;
    {
        const tflite::MemoryAllocation small(bytes.data(), bytes.size(), &reporter);
        InterpreterBuilder builder(tflite::GetModel(bytes.data()), resolver, &reporter, nullptr, &small);
        assert_int_equal(builder(&interpreter), kTfLiteError);
        assert_true(reporter.Has("12 bytes at offset 4096 lie outside"));
    }
    bytes.resize(4096 + 12);
    const float values[] = {10, 20, 30};
    memcpy(bytes.data() + 4096, values, sizeof values);
    const tflite::MemoryAllocation large(bytes.data(), bytes.size(), &reporter);
    InterpreterBuilder builder(tflite::GetModel(bytes.data()), resolver, &reporter, nullptr, &large);
    assert_int_equal(builder(&interpreter), kTfLiteOk);
    ExpectSum(interpreter.get());
    // One that does not hold the model does not count.
    FlatBufferBuilder inside;
    tflite::FinishModelBuffer(inside, MakeModel(inside));
    const tflite::MemoryAllocation other(inside.GetBufferPointer(), inside.GetSize(), &reporter);
    FlatBufferBuilder second;
    second.Finish(MakeModel(second));
    InterpreterBuilder elsewhere(tflite::GetModel(second.GetBufferPointer()), resolver, &reporter, nullptr,
                                 &other);
    assert_int_equal(elsewhere(&interpreter), kTfLiteOk);
    ExpectSum(interpreter.get());
}

void operators_of_a_table(void**) {
    struct {
        tflite::BuiltinOperator code;
        const char* name;
        int version;
        bool found;
        const char* message;
    } cases[] = {
        {tflite::BuiltinOperator_CONV_2D, nullptr, 1, true, ""},
        {tflite::BuiltinOperator_STABLEHLO_ADD, nullptr, 1, true, ""},
        {tflite::BuiltinOperator_CONV_2D, nullptr, 99, false, "builtin opcode 'CONV_2D' version '99'"},
        {tflite::BuiltinOperator_CUSTOM, "Mystery", 1, false, ""},
        {tflite::BuiltinOperator_CUSTOM, nullptr, 1, false, "has no custom_code"},
    };
    for (const auto& one : cases) {
        FlatBufferBuilder b;
        const auto low = static_cast<int8_t>(std::min<int>(one.code, 127));
        b.Finish(tflite::CreateOperatorCodeDirect(b, low, one.name, one.version, one.code));
        const auto* code = flatbuffers::GetRoot<tflite::OperatorCode>(b.GetBufferPointer());
        RecordingReporter reporter;
        const TfLiteRegistration* found = nullptr;
        const TfLiteStatus status =
            tflite::GetRegistrationFromOpCode(code, BuiltinOpResolver(), &reporter, &found);
        assert_int_equal(status, one.found ? kTfLiteOk : kTfLiteError);
        assert_int_equal(found != nullptr, one.found);
        assert_true(one.message[0] == '\0' ? reporter.messages.empty() : reporter.Has(one.message));
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    models = argv[1];
    const CMUnitTest tests[] = {
        cmocka_unit_test(finished_in_every_way),
        cmocka_unit_test(at_any_address),
        cmocka_unit_test(of_files),
        cmocka_unit_test(changed_by_the_library),
        cmocka_unit_test(roots_that_are_none),
        cmocka_unit_test(builders_with_an_allocation),
        cmocka_unit_test(operators_of_a_table),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
