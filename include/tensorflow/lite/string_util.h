// SPDX-License-Identifier: Apache-2.0
// Reads and writes tensors of strings:
//
//     tflite::DynamicBuffer strings;
//     strings.AddString("hello", 5);
//     strings.WriteToTensorAsVector(interpreter->input_tensor(0));
//     const tflite::StringRef first = tflite::GetString(interpreter->output_tensor(0), 0);
//
// The bytes of such a tensor are 32-bit numbers and then the strings. The numbers are, in this order: the
// number of strings; the offset of each string, in bytes from the start of the tensor; the end of the last
// string.
#ifndef TENSORFLOW_LITE_STRING_UTIL_H_
#define TENSORFLOW_LITE_STRING_UTIL_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <limits>
#include <string>
#include <vector>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/string_type.h"

namespace tflite {

// A string inside a tensor. It has no terminator.
struct StringRef {
    const char* str;
    size_t len;
};

// The largest size of all strings together, in bytes.
constexpr size_t kDefaultMaxLength = std::numeric_limits<int>::max();

// Collects strings and writes them to a tensor.
class DynamicBuffer {
  public:
    explicit DynamicBuffer(size_t max_length = kDefaultMaxLength)
        : max_length_(max_length < kDefaultMaxLength ? max_length : kDefaultMaxLength) {}

    // Appends a string. Returns kTfLiteError when all strings together would become too long.
    TfLiteStatus AddString(const char* str, size_t len) {
        if (len > max_length_ - data_.size()) return kTfLiteError;
        data_.append(str, len);
        lengths_.push_back(static_cast<int>(len));
        return kTfLiteOk;
    }
    TfLiteStatus AddString(const StringRef& text) { return AddString(text.str, text.len); }

    // Appends one string that consists of several with a separator between them.
    TfLiteStatus AddJoinedString(const std::vector<StringRef>& strings, StringRef separator) {
        std::string joined;
        for (size_t i = 0; i < strings.size(); i++) {
            if (i > 0) joined.append(separator.str, separator.len);
            joined.append(strings[i].str, strings[i].len);
        }
        return AddString(joined.data(), joined.size());
    }
    TfLiteStatus AddJoinedString(const std::vector<StringRef>& strings, char separator) {
        return AddJoinedString(strings, StringRef{&separator, 1});
    }

    // Allocates *buffer with malloc, fills it with the bytes of a tensor, and returns their number; 0 when
    // there are too many, or memory runs out.
    int WriteToBuffer(char** buffer) const {
        const size_t header = (lengths_.size() + 2) * sizeof(int32_t);
        *buffer = nullptr;
        if (header > kDefaultMaxLength - data_.size()) return 0;
        char* bytes = static_cast<char*>(malloc(header + data_.size()));
        if (bytes == nullptr) return 0;
        int32_t number = static_cast<int32_t>(lengths_.size());
        memcpy(bytes, &number, sizeof number);
        number = static_cast<int32_t>(header);
        memcpy(bytes + sizeof number, &number, sizeof number);
        for (size_t i = 0; i < lengths_.size(); i++) {
            number += lengths_[i];
            memcpy(bytes + (i + 2) * sizeof number, &number, sizeof number);
        }
        if (!data_.empty()) memcpy(bytes + header, data_.data(), data_.size());
        *buffer = bytes;
        return static_cast<int>(header + data_.size());
    }

    // Writes the strings to a tensor of strings and gives it the shape `new_shape`, which the tensor takes
    // over. With nullptr the tensor keeps its shape when the strings fit it, and becomes a vector otherwise.
    // Nothing happens when the tensor has another type or is constant, or when memory runs out.
    void WriteToTensor(TfLiteTensor* tensor, TfLiteIntArray* new_shape) const {
        std::vector<const char*> strings;
        size_t offset = 0;
        for (const int length : lengths_) {
            strings.push_back(data_.data() + offset);
            offset += static_cast<size_t>(length);
        }
        // An opaque tensor is a tensor.
        const TfLiteStatus status =
            TfLiteOpaqueTensorWriteStrings(reinterpret_cast<TfLiteOpaqueTensor*>(tensor), strings.data(),
                                           static_cast<int>(strings.size()), lengths_.data());
        if (new_shape == nullptr) return;
        if (status == kTfLiteOk) {
            TfLiteIntArrayFree(tensor->dims);
            tensor->dims = new_shape;
        } else {
            TfLiteIntArrayFree(new_shape);
        }
    }

    // The same, with the number of strings as the shape.
    void WriteToTensorAsVector(TfLiteTensor* tensor) const {
        TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
        if (shape != nullptr) shape->data[0] = static_cast<int>(lengths_.size());
        WriteToTensor(tensor, shape);
    }

  private:
    size_t max_length_;
    std::string data_;
    std::vector<int> lengths_;
};

// Returns the number of strings in a tensor; 0 when it is not a tensor of strings, or has no contents.
inline int GetStringCount(const TfLiteTensor* tensor) {
    const int count = TfLiteOpaqueTensorGetStringCount(reinterpret_cast<const TfLiteOpaqueTensor*>(tensor));
    return count > 0 ? count : 0;
}

// Returns a string of a tensor without a copy; {nullptr, 0} when there is no string of this index.
inline StringRef GetString(const TfLiteTensor* tensor, int string_index) {
    const char* str = nullptr;
    int len = 0;
    const TfLiteStatus status = TfLiteOpaqueTensorGetString(
        reinterpret_cast<const TfLiteOpaqueTensor*>(tensor), string_index, &str, &len);
    return status == kTfLiteOk ? StringRef{str, static_cast<size_t>(len)} : StringRef{nullptr, 0};
}

} // namespace tflite

#endif
