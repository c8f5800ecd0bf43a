// SPDX-License-Identifier: Apache-2.0
// Our FlexBuffers reader against the official one: on buffers that the official builder writes from seeded
// trees both must read the same, on mutations of them whatever the official verifier accepts.
//
//     fuzz_differential_flexbuffer COUNT SEED
#include <flatbuffers/flexbuffers.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "core/base/flexbuffer.h"
#include "tests/fuzz/mutate.h"
}

namespace {

// Writes a random value; containers stop at `depth` 0.
void write_value(flexbuffers::Builder* b, uint64_t* state, int depth);

void write_scalar(flexbuffers::Builder* b, uint64_t* state) {
    const int64_t number = static_cast<int64_t>(fuzz_random(state)) >> fuzz_below(state, 64);
    const std::string text(fuzz_below(state, 300) < 280 ? fuzz_below(state, 9) : 300, 'x');
    switch (fuzz_below(state, 10)) {
    case 0:
        return b->Int(number);
    case 1:
        return b->UInt(static_cast<uint64_t>(number) >> 1);
    case 2:
        return b->Float(static_cast<float>(number) / 8);
    case 3:
        return b->Double(static_cast<double>(number) / 10);
    case 4:
        return b->Bool(number & 1);
    case 5:
        return b->Null();
    case 6:
        b->String(text);
        return;
    case 7:
        return b->IndirectInt(number);
    case 8:
        return b->IndirectDouble(static_cast<double>(number) / 3);
    default:
        b->Blob(text.data(), text.size());
        return;
    }
}

void write_typed(flexbuffers::Builder* b, uint64_t* state) {
    std::vector<int32_t> ints(fuzz_below(state, 6));
    std::vector<float> floats(2 + fuzz_below(state, 3));
    for (auto& i : ints) i = static_cast<int32_t>(fuzz_random(state)) >> fuzz_below(state, 31);
    for (auto& f : floats) f = static_cast<float>(fuzz_below(state, 1000)) / 7;
    switch (fuzz_below(state, 4)) {
    case 0:
        b->Vector(ints);
        return;
    case 1:
        b->FixedTypedVector(floats.data(), static_cast<uint8_t>(floats.size()));
        return;
    case 2:
        b->TypedVector([&] {
            for (size_t i = 0; i < ints.size(); i++) b->Bool(ints[i] & 1);
        });
        return;
    default:
        b->TypedVector([&] {
            for (size_t i = 0; i < ints.size(); i++) b->Key("key");
        });
        return;
    }
}

void write_value(flexbuffers::Builder* b, uint64_t* state, int depth) {
    const size_t kind = depth == 0 ? 0 : fuzz_below(state, 4);
    const size_t count = fuzz_below(state, 7);
    if (kind == 0) return write_scalar(b, state);
    if (kind == 1) return write_typed(b, state);
    if (kind == 2) {
        b->Vector([&] {
            for (size_t i = 0; i < count; i++) write_value(b, state, depth - 1);
        });
        return;
    }
    b->Map([&] {
        for (size_t i = 0; i < count; i++) {
            b->Key("key" + std::to_string(i * 37 % 10) + std::to_string(i));
            write_value(b, state, depth - 1);
        }
    });
}

// Steps left before a comparison ends: mutated buffers may share, or contain themselves.
int steps;
const char *begin, *end; // of the buffer that is being compared

bool same(LiteFlex ours, flexbuffers::Reference theirs);

bool same_number(LiteFlex ours, flexbuffers::Reference theirs) {
    int64_t whole;
    double real;
    bool flag;
    // Half floats and quarter floats are not part of the format; the official library reads them as integers.
    if (!lite_flex_float(ours, &real)) return theirs.IsFloat();
    if (std::isnan(theirs.AsDouble()) ? !std::isnan(real) : real != theirs.AsDouble()) return false;
    const bool fits = std::isfinite(real) && std::fabs(real) < 0x1p62;
    if (!lite_flex_int(ours, &whole) || (fits && whole != theirs.AsInt64())) return false;
    return lite_flex_bool(ours, &flag) && (!fits || flag == theirs.AsBool());
}

// Of a broken boolean (neither 0 nor 1) the official library makes different integers in different places.
bool same_bool(LiteFlex ours, flexbuffers::Reference theirs) {
    bool flag;
    return lite_flex_bool(ours, &flag) && flag == theirs.AsBool();
}

bool has_no_end(const char* key) {
    return key < begin || key >= end || std::memchr(key, 0, static_cast<size_t>(end - key)) == nullptr;
}

bool same_string(LiteFlex ours, flexbuffers::Reference theirs) {
    const char* text;
    size_t length;
    const bool read = lite_flex_string(ours, &text, &length);
    // The official verifier lets strings and keys pass that do not end with a NUL inside the buffer.
    if (theirs.IsKey() && !read) return has_no_end(theirs.AsKey());
    if (theirs.IsKey()) return std::strcmp(text, theirs.AsKey()) == 0;
    const auto expected = theirs.AsString();
    if (!read) return expected.c_str() + expected.length() >= end || expected.c_str()[expected.length()] != 0;
    return text == expected.c_str() && length == expected.length();
}

bool same_elements(LiteFlex ours, flexbuffers::Reference theirs, size_t expected) {
    size_t count;
    if (!lite_flex_vector_size(ours, &count) || count != expected) return false;
    for (size_t i = 0; i < count && --steps > 0; i++) {
        LiteFlex element;
        if (!lite_flex_vector_at(ours, i, &element)) return false;
        const bool equal = theirs.IsFixedTypedVector() ? same(element, theirs.AsFixedTypedVector()[i])
                           : theirs.IsTypedVector()    ? same(element, theirs.AsTypedVector()[i])
                                                       : same(element, theirs.AsVector()[i]);
        if (!equal) return false;
    }
    return true;
}

bool same_map(LiteFlex ours, flexbuffers::Reference theirs) {
    const auto map = theirs.AsMap();
    if (map.Keys().size() != map.size()) return true; // broken in a way that the official verifier lets pass
    for (size_t i = 0; i < map.size() && --steps > 0; i++) {
        const char* key;
        LiteFlex value;
        if (has_no_end(map.Keys()[i].AsKey())) return !lite_flex_map_key(ours, i, &key);
        if (!lite_flex_map_key(ours, i, &key)) return false;
        if (std::strcmp(key, map.Keys()[i].AsKey()) != 0) return false;
        if (!lite_flex_map_find(ours, key, &value)) return false;
    }
    return same_elements(ours, theirs, map.size());
}

bool same(LiteFlex ours, flexbuffers::Reference theirs) {
    if (--steps <= 0) return true;
    const void* bytes;
    size_t count;
    switch (lite_flex_kind(ours)) {
    case kLiteFlexInt:
        return theirs.IsInt() && same_number(ours, theirs);
    case kLiteFlexUInt:
        return theirs.IsUInt() && same_number(ours, theirs);
    case kLiteFlexFloat:
        return theirs.IsFloat() && same_number(ours, theirs);
    case kLiteFlexBool:
        return theirs.IsBool() && same_bool(ours, theirs);
    case kLiteFlexString:
        return (theirs.IsString() || theirs.IsKey()) && same_string(ours, theirs);
    case kLiteFlexBlob:
        return theirs.IsBlob() && lite_flex_blob(ours, &bytes, &count) && bytes == theirs.AsBlob().data() &&
               count == theirs.AsBlob().size();
    case kLiteFlexMap:
        return theirs.IsMap() && same_map(ours, theirs);
    case kLiteFlexVector:
        if (theirs.IsFixedTypedVector())
            return same_elements(ours, theirs, theirs.AsFixedTypedVector().size());
        if (theirs.IsTypedVector()) return same_elements(ours, theirs, theirs.AsTypedVector().size());
        return same_elements(ours, theirs, theirs.AsVector().size());
    default: // null, or a type that does not exist
        return !theirs.IsNumeric() && !theirs.IsString() && !theirs.IsKey() && !theirs.IsVector() &&
               !theirs.IsTypedVector() && !theirs.IsFixedTypedVector() && !theirs.IsBlob();
    }
}

bool check(const std::vector<uint8_t>& data) {
    LiteFlex root;
    steps = 10000;
    begin = reinterpret_cast<const char*>(data.data());
    end = begin + data.size();
    const bool readable = lite_flex_root(data.data(), data.size(), &root);
    if (!flexbuffers::VerifyBuffer(data.data(), data.size())) {
        const char* text;
        LiteFlex value; // no harm done
        if (readable && lite_flex_vector_at(root, 0, &value)) (void)lite_flex_string(value, &text, nullptr);
        return true;
    }
    return readable && same(root, flexbuffers::GetRoot(data.data(), data.size()));
}

} // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 1000;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    long differ = 0, verified = 0;
    for (long i = 0; i < count; i++) {
        uint64_t state = seed + static_cast<uint64_t>(i);
        flexbuffers::Builder builder;
        write_value(&builder, &state, 4);
        builder.Finish();
        std::vector<uint8_t> data = builder.GetBuffer();
        bool equal = check(data);
        for (int k = 0; k < 10 && equal; k++) {
            std::vector<uint8_t> mutated = data;
            fuzz_mutate(&state, mutated.data(), mutated.size());
            verified += flexbuffers::VerifyBuffer(mutated.data(), mutated.size());
            equal = check(mutated);
        }
        if (!equal) {
            std::printf("tree %ld: read differently\n", i);
            differ++;
        }
    }
    std::printf("%ld trees, %ld of %ld mutations verified, %ld read differently\n", count, verified,
                10 * count, differ);
    return differ > 0;
}
