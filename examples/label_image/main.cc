// SPDX-License-Identifier: Apache-2.0
// Classifies a picture: label_image MODEL IMAGE.bmp LABELS.txt [DELEGATE]
//
// MODEL classifies pictures (for example mobilenet, float or quantized). LABELS has the name of one class per
// line. DELEGATE is a shared library with a delegate (liboclite_opencl.so). The program prints the five most
// probable classes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "examples/label_image/bitmap.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace {

constexpr int kThreads = 2;
constexpr size_t kShown = 5;

// Fills the input with the picture: values from 0..255 become -1..1 for float, and the corresponding stored
// numbers for quantized tensors.
bool FillInput(const std::vector<float>& pixels, TfLiteTensor* input) {
    const auto quantize = [input](float value, float low, float high) {
        const float number = std::round(value / input->params.scale);
        return std::min(std::max(number + static_cast<float>(input->params.zero_point), low), high);
    };
    for (size_t i = 0; i < pixels.size(); i++) {
        const float value = (pixels[i] - 127.5f) / 127.5f;
        if (input->type == kTfLiteFloat32) {
            input->data.f[i] = value;
        } else if (input->type == kTfLiteUInt8) {
            input->data.uint8[i] = static_cast<uint8_t>(quantize(value, 0, 255));
        } else if (input->type == kTfLiteInt8) {
            input->data.int8[i] = static_cast<int8_t>(quantize(value, -128, 127));
        } else {
            return false;
        }
    }
    return true;
}

// Returns the real value of an output's element.
float ValueAt(const TfLiteTensor& output, size_t i) {
    const auto zero_point = static_cast<float>(output.params.zero_point);
    switch (output.type) {
    case kTfLiteFloat32:
        return output.data.f[i];
    case kTfLiteUInt8:
        return (static_cast<float>(output.data.uint8[i]) - zero_point) * output.params.scale;
    case kTfLiteInt8:
        return (static_cast<float>(output.data.int8[i]) - zero_point) * output.params.scale;
    default:
        return 0;
    }
}

void PrintBest(const TfLiteTensor& output, const std::vector<std::string>& labels) {
    const auto classes = static_cast<size_t>(output.dims->data[output.dims->size - 1]);
    std::vector<std::pair<float, size_t>> best;
    for (size_t i = 0; i < classes; i++) best.push_back({ValueAt(output, i), i});
    std::sort(best.rbegin(), best.rend());
    for (size_t i = 0; i < std::min(kShown, classes); i++) {
        const size_t label = best[i].second;
        std::printf("%.4f: %zu %s\n", static_cast<double>(best[i].first), label,
                    label < labels.size() ? labels[label].c_str() : "");
    }
}

bool ApplyDelegate(const char* library, tflite::Interpreter* interpreter) {
    const TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(library);
    tflite::Interpreter::TfLiteDelegatePtr delegate(TfLiteExternalDelegateCreate(&options),
                                                    TfLiteExternalDelegateDelete);
    if (delegate == nullptr) std::fprintf(stderr, "%s\n", oclite_external_delegate_error());
    return delegate != nullptr && interpreter->ModifyGraphWithDelegate(std::move(delegate)) == kTfLiteOk;
}

int Fail(const std::string& what) {
    std::fprintf(stderr, "label_image: %s\n", what.c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) return Fail("usage: label_image MODEL IMAGE.bmp LABELS.txt [DELEGATE]");
    const auto model = tflite::FlatBufferModel::BuildFromFile(argv[1]);
    if (model == nullptr) return Fail(std::string("cannot read the model ") + argv[1]);
    Bitmap bitmap;
    if (!ReadBitmap(argv[2], &bitmap)) return Fail(std::string(argv[2]) + " is no picture (BMP)");
    std::vector<std::string> labels;
    std::ifstream file(argv[3]);
    for (std::string line; std::getline(file, line);) labels.push_back(line);
    if (labels.empty()) return Fail(std::string("cannot read the labels ") + argv[3]);

    const tflite::ops::builtin::BuiltinOpResolver resolver;
    std::unique_ptr<tflite::Interpreter> interpreter;
    if (tflite::InterpreterBuilder(*model, resolver)(&interpreter, kThreads) != kTfLiteOk)
        return Fail("cannot make an interpreter");
    if (argc > 4 && !ApplyDelegate(argv[4], interpreter.get()))
        return Fail(std::string("cannot apply the delegate ") + argv[4]);
    if (interpreter->AllocateTensors() != kTfLiteOk) return Fail("cannot allocate the tensors");

    TfLiteTensor* input = interpreter->input_tensor(0);
    if (input->dims->size != 4 || input->dims->data[3] != 3) return Fail("the model's input is no picture");
    const std::vector<float> pixels = ScaleBitmap(bitmap, input->dims->data[2], input->dims->data[1]);
    if (!FillInput(pixels, input)) return Fail("the model's input has a type that is not known here");

    const auto begin = std::chrono::steady_clock::now();
    if (interpreter->Invoke() != kTfLiteOk) return Fail("cannot run the model");
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    std::printf("%.1f ms\n", time.count());
    PrintBest(*interpreter->output_tensor(0), labels);
    return 0;
}
