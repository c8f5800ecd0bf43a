// SPDX-License-Identifier: Apache-2.0
// Random FlexBuffers documents: from the same seed the same document, written by the official library or by
// ours.
#ifndef TESTS_FUZZ_FLEX_DOCUMENTS_H_
#define TESTS_FUZZ_FLEX_DOCUMENTS_H_

#include <flatbuffers/flexbuffers.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oclite/flexbuffers_writer.h"
#include "tests/fuzz/mutate.h"

class OfficialWriter {
  public:
    void null() { builder_.Null(); }
    void integer(int64_t value) { builder_.Int(value); }
    void unsigned_integer(uint64_t value) { builder_.UInt(value); }
    void real(double value) { builder_.Double(value); }
    void boolean(bool value) { builder_.Bool(value); }
    void string(const std::string& text) { builder_.String(text); }
    void blob(const std::string& bytes) { builder_.Blob(bytes.data(), bytes.size()); }
    void indirect_integer(int64_t value) { builder_.IndirectInt(value); }
    void indirect_unsigned(uint64_t value) { builder_.IndirectUInt(value); }
    // Of a double that a float can hold the builder stores the wrong half.
    void indirect_real(double value) {
        if (static_cast<double>(static_cast<float>(value)) == value)
            builder_.IndirectFloat(static_cast<float>(value));
        else
            builder_.IndirectDouble(value);
    }
    void key(const std::string& text) { builder_.Key(text); }
    void begin_map() { begun_.push_back({builder_.StartMap(), kMap}); }
    void begin_vector() { begun_.push_back({builder_.StartVector(), kVector}); }
    void begin_typed(OcliteFlexKind) { begun_.push_back({builder_.StartVector(), kTyped}); }
    void begin_fixed(OcliteFlexKind) { begun_.push_back({builder_.StartVector(), kFixed}); }
    void end() {
        const auto [start, sort] = begun_.back();
        begun_.pop_back();
        if (sort == kMap)
            builder_.EndMap(start);
        else
            builder_.EndVector(start, sort != kVector, sort == kFixed);
    }
    std::vector<uint8_t> finish() {
        builder_.Finish();
        return builder_.GetBuffer();
    }

  private:
    enum Sort { kMap, kVector, kTyped, kFixed };
    flexbuffers::Builder builder_;
    std::vector<std::pair<size_t, Sort>> begun_;
};

class OurWriter {
  public:
    OurWriter() : writer_(oclite_flex_writer_create()) {}
    OurWriter(const OurWriter&) = delete;
    OurWriter& operator=(const OurWriter&) = delete;
    ~OurWriter() { oclite_flex_writer_delete(writer_); }
    void null() { oclite_flex_write_null(writer_); }
    void integer(int64_t value) { oclite_flex_write_int(writer_, value); }
    void unsigned_integer(uint64_t value) { oclite_flex_write_uint(writer_, value); }
    void real(double value) { oclite_flex_write_float(writer_, value); }
    void boolean(bool value) { oclite_flex_write_bool(writer_, value); }
    void string(const std::string& text) { oclite_flex_write_string(writer_, text.data(), text.size()); }
    void blob(const std::string& bytes) { oclite_flex_write_blob(writer_, bytes.data(), bytes.size()); }
    void indirect_integer(int64_t value) { oclite_flex_write_indirect_int(writer_, value); }
    void indirect_unsigned(uint64_t value) { oclite_flex_write_indirect_uint(writer_, value); }
    void indirect_real(double value) { oclite_flex_write_indirect_float(writer_, value); }
    void key(const std::string& text) { oclite_flex_write_key(writer_, text.c_str()); }
    void begin_map() { oclite_flex_begin_map(writer_); }
    void begin_vector() { oclite_flex_begin_vector(writer_); }
    void begin_typed(OcliteFlexKind kind) { oclite_flex_begin_typed_vector(writer_, kind); }
    void begin_fixed(OcliteFlexKind kind) { oclite_flex_begin_fixed_vector(writer_, kind); }
    void end() { oclite_flex_end(writer_); }
    // Empty after an error.
    std::vector<uint8_t> finish() {
        size_t size;
        const auto* bytes = static_cast<const uint8_t*>(oclite_flex_finish(writer_, &size));
        return bytes == nullptr ? std::vector<uint8_t>() : std::vector<uint8_t>(bytes, bytes + size);
    }

  private:
    OcliteFlexWriter* writer_;
};

template <class Writer> class FlexDocument {
  public:
    FlexDocument(Writer* writer, uint64_t* state) : w_(writer), state_(state) {}

    // Containers are nested at most `depth` deep.
    void value(int depth) {
        const size_t sort = depth == 0 ? 0 : fuzz_below(state_, 4);
        if (sort == 0) return scalar(static_cast<OcliteFlexKind>(fuzz_below(state_, kOcliteFlexBlob + 1)));
        if (sort == 1) return typed();
        const size_t count = fuzz_below(state_, 7);
        if (sort == 2) {
            w_->begin_vector();
            for (size_t i = 0; i < count; i++) value(depth - 1);
        } else {
            w_->begin_map();
            for (size_t i = 0; i < count; i++) {
                w_->key("key" + std::to_string(i * 37 % 10) + std::to_string(i));
                value(depth - 1);
            }
        }
        w_->end();
    }

  private:
    // Mostly small ones; one in a few thousand so long that distances take four bytes.
    std::string text() {
        const size_t sort = fuzz_below(state_, 5000);
        const size_t length = sort == 0 ? 70000 : sort < 100 ? 300 : fuzz_below(state_, 9);
        std::string result(length, 'x');
        if (length > 0) result[fuzz_below(state_, length)] = static_cast<char>(fuzz_below(state_, 256));
        return result;
    }

    double real(int64_t number) {
        switch (fuzz_below(state_, 3)) {
        case 0:
            return static_cast<double>(number >> 44) / 8; // fits a float
        case 1:
            return static_cast<double>(number) / 10;
        default:
            return static_cast<double>(number) * 1e200;
        }
    }

    void scalar(OcliteFlexKind kind) {
        const int64_t number = static_cast<int64_t>(fuzz_random(state_)) >> fuzz_below(state_, 64);
        const bool indirect = fuzz_below(state_, 3) == 0;
        switch (kind) {
        case kOcliteFlexInt:
            return indirect ? w_->indirect_integer(number) : w_->integer(number);
        case kOcliteFlexUInt:
            return indirect ? w_->indirect_unsigned(static_cast<uint64_t>(number))
                            : w_->unsigned_integer(static_cast<uint64_t>(number));
        case kOcliteFlexFloat:
            return indirect ? w_->indirect_real(real(number)) : w_->real(real(number));
        default:
            return element(kind, number);
        }
    }

    void element(OcliteFlexKind kind, int64_t number) {
        switch (kind) {
        case kOcliteFlexInt:
            return w_->integer(number);
        case kOcliteFlexUInt:
            return w_->unsigned_integer(static_cast<uint64_t>(number));
        case kOcliteFlexFloat:
            return w_->real(real(number));
        case kOcliteFlexBool:
            return w_->boolean(number & 1);
        case kOcliteFlexKey:
            return w_->key("key" + std::to_string(number & 15));
        case kOcliteFlexString:
            return w_->string(text());
        case kOcliteFlexBlob:
            return w_->blob(text());
        default:
            return w_->null();
        }
    }

    // The official builder makes all empty typed vectors vectors of keys.
    void typed() {
        const bool fixed = fuzz_below(state_, 3) == 0;
        const auto kind = static_cast<OcliteFlexKind>(1 + fuzz_below(state_, fixed ? 3 : kOcliteFlexString));
        const size_t few = fuzz_below(state_, 6), many = fuzz_below(state_, 200) == 0 ? 300 : 0;
        const size_t count = fixed ? 2 + few / 2 : few + many > 0 || kind == kOcliteFlexKey ? few + many : 1;
        const int shift = static_cast<int>(fuzz_below(state_, 64));
        if (fixed)
            w_->begin_fixed(kind);
        else
            w_->begin_typed(kind);
        for (size_t i = 0; i < count; i++) element(kind, static_cast<int64_t>(fuzz_random(state_)) >> shift);
        w_->end();
    }

    Writer* w_;
    uint64_t* state_;
};

template <class Writer> std::vector<uint8_t> flex_document(uint64_t* state) {
    Writer writer;
    FlexDocument<Writer>(&writer, state).value(4);
    return writer.finish();
}

#endif
