// SPDX-License-Identifier: Apache-2.0
// Allocations, arrays, checked integers and sizes of the C++ API.
#include <fcntl.h>
#include <unistd.h>

#include <climits>

#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/array.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/util.h"
#include "tests/api/cxx.h"
#include "tests/support/absent.h"

using tflite::BuildTfLiteArray;
using tflite::CheckedInt;
using tflite::FlatBufferModel;

namespace {

// ---- Allocations ----

const char kPath[] = "test_cxx_util.tflite";

void allocations(void**) {
    const CxxModel bytes = cxx_model_adds();
    FILE* file = std::fopen(kPath, "wb");
    assert_int_equal(std::fwrite(bytes.bytes, 1, bytes.size, file), bytes.size);
    std::fclose(file);
    const int fd = open(kPath, O_RDONLY);
    RecordingReporter reporter;
    std::unique_ptr<tflite::Allocation> all[] = {
        std::make_unique<tflite::MMAPAllocation>(kPath, &reporter),
        std::make_unique<tflite::MMAPAllocation>(fd, &reporter),
        std::make_unique<tflite::MMAPAllocation>(kPath, 0, bytes.size, &reporter),
        std::make_unique<tflite::FileCopyAllocation>(kPath, &reporter),
        std::make_unique<tflite::MemoryAllocation>(bytes.bytes, bytes.size, &reporter),
    };
    for (auto& allocation : all) {
        assert_true(allocation->valid());
        assert_int_equal(allocation->bytes(), bytes.size);
        assert_memory_equal(allocation->base(), bytes.bytes, bytes.size);
        const tflite::Allocation* base = allocation.get();
        const auto model = FlatBufferModel::BuildFromAllocation(std::move(allocation), &reporter);
        assert_true(model != nullptr && model->allocation() == base);
        assert_string_equal(model->GetMinimumRuntime().c_str(), "1.5.0");
    }
    assert_true(FlatBufferModel::BuildFromFileDescriptor(fd, &reporter) != nullptr);
    assert_true(FlatBufferModel::VerifyAndBuildFromFileDescriptor(fd, nullptr, &reporter) != nullptr);
    close(fd);
    const tflite::MMAPAllocation part(kPath, 5, 7, &reporter);
    assert_memory_equal(part.base(), bytes.bytes + 5, 7);
    assert_int_equal(part.mmapped_buffer_size(), 12);
    assert_int_equal(part.mmapped_buffer_offset_in_file(), 0);
    assert_true(part.type() == tflite::Allocation::Type::kMMap && part.fd() >= 0);
    assert_string_equal(reporter.messages.c_str(), "");
    assert_false(tflite::MMAPAllocation(kPath, 5, bytes.size, &reporter).valid());
    assert_true(reporter.Has("Asked to mmap"));
    unlink(kPath);
    cxx_model_free(bytes);
}

void allocations_that_are_none(void**) {
    RecordingReporter reporter;
    const char* absent = absent_path();
    assert_false(tflite::MMAPAllocation(absent, &reporter).valid());
    assert_true(reporter.Has(("Could not open '" + std::string(absent) + "'.").c_str()));
    assert_false(tflite::FileCopyAllocation(absent, nullptr).valid());
    assert_false(tflite::MMAPAllocation(-1, nullptr).valid());
    assert_false(tflite::FileCopyAllocation(nullptr, nullptr).valid());
    assert_true(FlatBufferModel::BuildFromAllocation(nullptr, &reporter) == nullptr);
    auto invalid = std::make_unique<tflite::MemoryAllocation>(nullptr, 9, nullptr);
    assert_int_equal(invalid->bytes(), 0);
    assert_true(FlatBufferModel::VerifyAndBuildFromAllocation(std::move(invalid), nullptr, &reporter) ==
                nullptr);
    assert_true(reporter.Has("The model allocation is null/empty"));
}

// ---- Arrays ----

void arrays(void**) {
    const tflite::IntArrayUniquePtr list = BuildTfLiteArray({1, 2, 3});
    assert_int_equal(list->size, 3);
    assert_int_equal(list->data[2], 3);
    const int values[] = {4, 5};
    assert_int_equal(BuildTfLiteArray(values)->data[1], 5);
    assert_int_equal(BuildTfLiteArray(1, values)->size, 1);
    assert_int_equal(BuildTfLiteArray(std::vector<int>())->size, 0);
    assert_int_equal(BuildTfLiteArray<int>({})->size, 0);
    assert_int_equal(BuildTfLiteArray(7)->size, 7);
    const tflite::FloatArrayUniquePtr floats = BuildTfLiteArray<float>(std::vector<int>{4, 5});
    assert_true(floats->data[0] == 4.0f);
    assert_true(BuildTfLiteArray(*floats)->data[1] == 5.0f);
    assert_int_equal(BuildTfLiteArray(*list)->data[0], 1);
    assert_true(BuildTfLiteArray(-1) == nullptr);
}

// ---- Checked integers ----

template <class T, class U> bool Overflows(const CheckedInt<T>& value, U expected) {
    if (!value.Overflow()) assert_true(value == expected);
    assert_int_equal(value.Status(), value.Overflow() ? kTfLiteError : kTfLiteOk);
    return value.Overflow();
}

void checked_integers(void**) {
    assert_false(Overflows(CheckedInt<int8_t>(127), 127));
    assert_true(Overflows(CheckedInt<int8_t>(128), 0));
    assert_true(Overflows(CheckedInt<uint8_t>(-1), 0));
    assert_true(Overflows(CheckedInt<int>(UINT_MAX), 0));
    assert_false(Overflows(CheckedInt<int64_t>(UINT_MAX), UINT_MAX));
    assert_false(Overflows(CheckedInt<int>(3) * 5 - 16, -1));
    assert_true(Overflows(CheckedInt<int>(INT_MAX) + 1, 0));
    assert_true(Overflows((CheckedInt<int>(INT_MAX) + 1) / 2, 0)); // remembered
    assert_false(Overflows(CheckedInt<int>(INT_MAX) + CheckedInt<int64_t>(1), int64_t{INT_MAX} + 1));
    assert_true(Overflows(CheckedInt<unsigned>(3) - 5u, 0));
    assert_true(Overflows(CheckedInt<int>(INT_MIN) / -1, 0));
    assert_true(Overflows(CheckedInt<int>(1) / 0, 0));
    assert_int_equal((CheckedInt<int>(1) / 0).Value(), INT_MAX);
    assert_false(Overflows(7 / CheckedInt<int>(2), 3));
    CheckedInt<size_t> bytes = 4;
    bytes *= CheckedInt<int>(3);
    bytes += 1;
    assert_false(Overflows(bytes, 13u));
    bytes *= -1;
    assert_true(bytes.Overflow());
    assert_true(CheckedInt<int>(-1) < 1u && 1u > CheckedInt<int>(-1) && CheckedInt<int>(-1) != UINT_MAX);
    assert_true(CheckedInt<int>(2) <= CheckedInt<uint8_t>(2) && CheckedInt<int>(2) >= 2);
}

// ---- Sizes and names ----

void sizes(void**) {
    size_t count = 0, bytes = 0;
    int small = 0;
    assert_int_equal(tflite::CheckedNumElements(std::vector<int>{2, 3, 4}, count), kTfLiteOk);
    assert_int_equal(count, 24);
    assert_int_equal(tflite::CheckedNumElements(std::vector<int>{2, -1}, count), kTfLiteError);
    assert_int_equal(tflite::CheckedNumElements(std::vector<int>{INT_MAX, INT_MAX}, small), kTfLiteError);
    assert_int_equal(tflite::CheckedNumElements(BuildTfLiteArray({5, 0}).get(), small), kTfLiteOk);
    assert_int_equal(tflite::CheckedNumElements(static_cast<TfLiteTensor*>(nullptr), small), kTfLiteError);
    const int dims[] = {5, 1};
    assert_int_equal(tflite::BytesRequired(kTfLiteInt4, dims, 2, &bytes, nullptr), kTfLiteOk);
    assert_int_equal(bytes, 3);
    assert_int_equal(tflite::BytesRequired(kTfLiteInt2, dims, 2, &bytes, nullptr), kTfLiteOk);
    assert_int_equal(bytes, 2);
    assert_int_equal(tflite::BytesRequired(kTfLiteComplex128, dims, 2, &bytes, nullptr), kTfLiteOk);
    assert_int_equal(bytes, 80);
    const int huge[] = {INT_MAX, INT_MAX, 4};
    assert_int_equal(tflite::BytesRequired(kTfLiteFloat64, huge, 3, &bytes, nullptr), kTfLiteError);
    assert_int_equal(tflite::BytesRequired(kTfLiteString, dims, 2, &bytes, nullptr), kTfLiteError);
    assert_int_equal(tflite::MultiplyAndCheckOverflow(SIZE_MAX, 2, &bytes), kTfLiteError);
    assert_true(tflite::CombineHashes({1, 2}) != tflite::CombineHashes({2, 1}));
    const tflite::TensorUniquePtr tensor = tflite::BuildTfLiteTensor(kTfLiteInt32, {2, 3}, kTfLiteDynamic);
    assert_int_equal(tensor->bytes, 24);
    assert_int_equal(tensor->buffer_handle, kTfLiteNullBufferHandle);
    tensor->data.i32[5] = 1;
    assert_true(tflite::BuildTfLiteTensor(kTfLiteInt32, nullptr, kTfLiteDynamic) == nullptr);
    assert_true(tflite::BuildTfLiteTensor(kTfLiteInt32, {-1}, kTfLiteDynamic) == nullptr);
    assert_false(tflite::EqualArrayAndTfLiteIntArray(nullptr, 0, dims));
}

void names(void**) {
    const TfLiteRegistration unresolved = tflite::CreateUnresolvedCustomOp("Mystery");
    assert_true(tflite::IsUnresolvedCustomOp(unresolved));
    assert_string_equal(tflite::GetOpNameByRegistration(unresolved).c_str(), "CUSTOM Mystery");
    TfLiteRegistration registration{};
    assert_false(tflite::IsUnresolvedCustomOp(registration));
    assert_string_equal(tflite::GetOpNameByRegistration(registration).c_str(), "ADD");
    registration.builtin_code = -1;
    assert_string_equal(tflite::GetOpNameByRegistration(registration).c_str(), "");
    assert_true(tflite::IsValidationSubgraph("VALIDATION:main"));
    assert_false(tflite::IsValidationSubgraph("main"));
}

void shapes(void**) {
    const auto dims = BuildTfLiteArray({1, 2, 3});
    assert_string_equal(tflite::GetShapeDebugString(dims.get()).c_str(), "[1,2,3]");
    assert_string_equal(tflite::GetShapeDebugString(BuildTfLiteArray<int>({}).get()).c_str(), "[]");
    const auto tensor = tflite::BuildTfLiteTensor(kTfLiteFloat32, {2}, kTfLiteDynamic);
    assert_string_equal(tflite::GetTensorDebugString(tensor.get()).c_str(),
                        "{\n  type: FLOAT32\n  data: {...}\n  dims: [2]\n}");
    assert_false(tflite::HasUnspecifiedDimension(tensor.get()));
    tensor->dims_signature = BuildTfLiteArray({-1}).release();
    assert_true(tflite::HasUnspecifiedDimension(tensor.get()));
    assert_int_equal(tflite::TfLiteTypeGetSize(kTfLiteInt16), 2);
    assert_int_equal(tflite::TfLiteTypeGetSizeBits(kTfLiteInt4), 4);
    assert_int_equal(tflite::TfLiteTypeGetSize(kTfLiteString), 0);
    assert_false(tflite::IsMobilePlatform());
    RecordingReporter reporter;
    tflite::Interpreter interpreter(&reporter);
    TfLiteContext* context = interpreter.primary_subgraph().context();
    size_t count = 0;
    int small = 0;
    const std::vector<int> wide{INT_MAX, 2};
    assert_int_equal(tflite::CheckedShapeProduct(context, wide, "too many", count), kTfLiteOk);
    assert_int_equal(count, size_t{2} * INT_MAX);
    assert_int_equal(tflite::CheckedShapeProductToInt(context, wide, "too many", small), kTfLiteError);
    assert_true(reporter.Has("too many"));
    assert_int_equal(tflite::CheckedShapeProduct(context, std::vector<int>{-1}, "", count), kTfLiteError);
    assert_true(reporter.Has("Encountered a negative dimension."));
    const auto list = tflite::BuildTfLiteTensor(kTfLiteInt32, {2}, kTfLiteDynamic);
    list->data.i32[0] = 7;
    list->data.i32[1] = 8;
    TfLiteIntArray* shape = nullptr;
    assert_int_equal(tflite::GetOutputShapeFromInput(context, list.get(), &shape), kTfLiteOk);
    assert_string_equal(tflite::GetShapeDebugString(shape).c_str(), "[7,8]");
    TfLiteIntArrayFree(shape);
    const auto square = tflite::BuildTfLiteTensor(kTfLiteInt32, {1, 2}, kTfLiteDynamic);
    assert_int_equal(tflite::GetOutputShapeFromInput(context, square.get(), &shape), kTfLiteError);
    assert_true(reporter.Has("Invalid 2D input tensor (must be a 1D tensor)."));
    const auto long_one = tflite::BuildTfLiteTensor(kTfLiteInt32, {3}, kTfLiteDynamic);
    assert_int_equal(tflite::CalculateShapeForBroadcast(context, list.get(), long_one.get(), &shape),
                     kTfLiteError);
    assert_true(reporter.Has("Given shapes, [2] and [3], are not broadcastable."));
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(allocations), cmocka_unit_test(allocations_that_are_none),
        cmocka_unit_test(arrays),      cmocka_unit_test(checked_integers),
        cmocka_unit_test(sizes),       cmocka_unit_test(names),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
