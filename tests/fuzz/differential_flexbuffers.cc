// SPDX-License-Identifier: Apache-2.0
// Our FlexBuffers reader and writer against the official ones, on seeded random documents. What either
// library has written, both read alike, and the official verifier accepts; so they do mutations of it that
// the official verifier accepts. On those that it refuses, ours may answer what it likes.
//
//     fuzz_differential_flexbuffers COUNT SEED
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/flex_documents.h"

namespace {

// Steps left before a comparison ends: mutated buffers may share, or contain themselves.
int steps;
const char *begin, *end; // of the buffer that is being compared

bool same(OcliteFlex ours, flexbuffers::Reference theirs);

bool same_number(OcliteFlex ours, flexbuffers::Reference theirs) {
    int64_t whole;
    uint64_t natural;
    double real;
    bool flag;
    // Half floats and quarter floats are not part of the format; the official library reads them as integers.
    if (!oclite_flex_float(ours, &real)) return theirs.IsFloat();
    if (std::isnan(theirs.AsDouble()) ? !std::isnan(real) : real != theirs.AsDouble()) return false;
    if (!oclite_flex_int(ours, &whole) || !oclite_flex_uint(ours, &natural)) return false;
    if (theirs.IsInt() && whole != theirs.AsInt64()) return false;
    if (theirs.IsUInt() && natural != theirs.AsUInt64()) return false;
    // Beyond its range the official library's conversion of a real number is undefined.
    if (theirs.IsFloat() && !(std::fabs(real) < 0x1p62)) return true;
    if (!theirs.IsUInt() && whole != theirs.AsInt64()) return false;
    return oclite_flex_bool(ours, &flag) && flag == (whole != 0);
}

// Of a broken boolean (neither 0 nor 1) the official library makes different integers in different places.
bool same_bool(OcliteFlex ours, flexbuffers::Reference theirs) {
    bool flag;
    return oclite_flex_bool(ours, &flag) && flag == theirs.AsBool();
}

bool has_no_end(const char* key) {
    return key < begin || key >= end || std::memchr(key, 0, static_cast<size_t>(end - key)) == nullptr;
}

bool same_string(OcliteFlex ours, flexbuffers::Reference theirs) {
    const char* text;
    size_t length;
    const bool read = oclite_flex_string(ours, &text, &length);
    // The official verifier lets strings and keys pass that do not end with a NUL inside the buffer.
    if (theirs.IsKey() && !read) return has_no_end(theirs.AsKey());
    if (theirs.IsKey()) return std::strcmp(text, theirs.AsKey()) == 0;
    const auto expected = theirs.AsString();
    if (!read) return expected.c_str() + expected.length() >= end || expected.c_str()[expected.length()] != 0;
    return length == expected.length() && std::memcmp(text, expected.c_str(), length) == 0;
}

bool same_elements(OcliteFlex ours, flexbuffers::Reference theirs, size_t expected) {
    size_t count;
    if (!oclite_flex_vector_size(ours, &count) || count != expected) return false;
    for (size_t i = 0; i < count && --steps > 0; i++) {
        OcliteFlex element;
        if (!oclite_flex_vector_at(ours, i, &element)) return false;
        const bool equal = theirs.IsFixedTypedVector() ? same(element, theirs.AsFixedTypedVector()[i])
                           : theirs.IsTypedVector()    ? same(element, theirs.AsTypedVector()[i])
                                                       : same(element, theirs.AsVector()[i]);
        if (!equal) return false;
    }
    return true;
}

bool same_vector(OcliteFlex ours, flexbuffers::Reference theirs) {
    OcliteFlexKind kind;
    const bool typed = theirs.IsTypedVector() || theirs.IsFixedTypedVector();
    if (oclite_flex_vector_kind(ours, &kind) != typed) return false;
    return same_elements(ours, theirs,
                         theirs.IsFixedTypedVector() ? theirs.AsFixedTypedVector().size()
                         : theirs.IsTypedVector()    ? theirs.AsTypedVector().size()
                                                     : theirs.AsVector().size());
}

// Whether a look-up gives the same kind of value, or none. (What the values hold is compared elsewhere.)
bool same_look_up(OcliteFlex ours, const flexbuffers::Map& theirs, const char* key) {
    OcliteFlex value;
    const auto expected = theirs[key];
    if (!oclite_flex_map_find(ours, key, &value)) return expected.IsNull();
    return (oclite_flex_kind(value) == kOcliteFlexMap) == expected.IsMap() &&
           (oclite_flex_kind(value) == kOcliteFlexInt) == expected.IsInt() &&
           (oclite_flex_kind(value) == kOcliteFlexString) == expected.IsString();
}

bool same_map(OcliteFlex ours, flexbuffers::Reference theirs) {
    const auto map = theirs.AsMap();
    if (map.Keys().size() != map.size()) return true; // broken in a way that the official verifier lets pass
    for (size_t i = 0; i < map.size() && --steps > 0; i++) {
        const char* key;
        if (has_no_end(map.Keys()[i].AsKey())) return !oclite_flex_map_key(ours, i, &key);
        if (!oclite_flex_map_key(ours, i, &key)) return false;
        if (std::strcmp(key, map.Keys()[i].AsKey()) != 0) return false;
    }
    for (size_t i = 0; i < map.size() && --steps > 0; i++) {
        if (!same_look_up(ours, map, map.Keys()[i].AsKey())) return false;
    }
    return same_elements(ours, theirs, map.size());
}

bool same_blob(OcliteFlex ours, flexbuffers::Blob theirs) {
    const void* bytes;
    size_t count;
    return oclite_flex_blob(ours, &bytes, &count) && count == theirs.size() &&
           std::memcmp(bytes, theirs.data(), count) == 0;
}

bool same(OcliteFlex ours, flexbuffers::Reference theirs) {
    if (--steps <= 0) return true;
    switch (oclite_flex_kind(ours)) {
    case kOcliteFlexInt:
        return theirs.IsInt() && same_number(ours, theirs);
    case kOcliteFlexUInt:
        return theirs.IsUInt() && same_number(ours, theirs);
    case kOcliteFlexFloat:
        return theirs.IsFloat() && same_number(ours, theirs);
    case kOcliteFlexBool:
        return theirs.IsBool() && same_bool(ours, theirs);
    case kOcliteFlexKey:
        return theirs.IsKey() && same_string(ours, theirs);
    case kOcliteFlexString:
        return theirs.IsString() && same_string(ours, theirs);
    case kOcliteFlexBlob:
        return theirs.IsBlob() && same_blob(ours, theirs.AsBlob());
    case kOcliteFlexMap:
        return theirs.IsMap() && same_map(ours, theirs);
    case kOcliteFlexVector:
        return (theirs.IsVector() || theirs.IsTypedVector() || theirs.IsFixedTypedVector()) &&
               !theirs.IsMap() && same_vector(ours, theirs);
    default: // null, or a type that does not exist
        return !theirs.IsNumeric() && !theirs.IsString() && !theirs.IsKey() && !theirs.IsVector() &&
               !theirs.IsTypedVector() && !theirs.IsFixedTypedVector() && !theirs.IsBlob();
    }
}

// Reads everything that can be read, which a sanitizer watches.
void walk(OcliteFlex value, int depth) {
    int64_t whole;
    uint64_t natural;
    double real;
    bool flag;
    const char* text;
    const void* bytes;
    size_t size, count = 0;
    OcliteFlexKind kind;
    OcliteFlex element;
    (void)oclite_flex_int(value, &whole);
    (void)oclite_flex_uint(value, &natural);
    (void)oclite_flex_float(value, &real);
    (void)oclite_flex_bool(value, &flag);
    if (oclite_flex_string(value, &text, &size) && text[size] != 0) std::abort();
    if (oclite_flex_blob(value, &bytes, &size) && size > 0) {
        volatile char last = static_cast<const char*>(bytes)[size - 1];
        (void)last;
    }
    (void)oclite_flex_vector_kind(value, &kind);
    (void)oclite_flex_vector_size(value, &count);
    (void)oclite_flex_map_find(value, "key50", &element);
    for (size_t i = 0; i < count && depth > 0 && --steps > 0; i++) {
        (void)oclite_flex_map_key(value, i, &text);
        if (oclite_flex_vector_at(value, i, &element)) walk(element, depth - 1);
    }
}

// Whether both libraries read the same, of two buffers or of one.
bool check(const std::vector<uint8_t>& ours, const std::vector<uint8_t>& theirs) {
    OcliteFlex root;
    steps = 10000;
    begin = reinterpret_cast<const char*>(theirs.data());
    end = begin + theirs.size();
    if (!oclite_flex_root(ours.data(), ours.size(), &root)) return false;
    return same(root, flexbuffers::GetRoot(theirs.data(), theirs.size()));
}

bool verified(const std::vector<uint8_t>& data) {
    return flexbuffers::VerifyBuffer(data.data(), data.size());
}

long accepted; // mutations, by the official verifier

bool check_mutation(std::vector<uint8_t> data, uint64_t* state) {
    if (fuzz_below(state, 8) == 0) data.resize(fuzz_below(state, data.size() + 1));
    fuzz_mutate(state, data.data(), data.size());
    data.shrink_to_fit();
    OcliteFlex root;
    steps = 10000;
    if (oclite_flex_root(data.data(), data.size(), &root)) walk(root, 8);
    if (!verified(data)) return true;
    accepted++;
    return check(data, data);
}

const char* check_document(uint64_t seed) {
    uint64_t state = seed, again = seed;
    const auto theirs = flex_document<OfficialWriter>(&state);
    const auto ours = flex_document<OurWriter>(&again);
    if (!check(theirs, theirs)) return "the official document is read differently";
    if (!verified(ours)) return "the official verifier refuses our document";
    if (!check(ours, ours)) return "our document is read differently";
    if (!check(ours, theirs)) return "the two documents differ";
    for (int k = 0; k < 10; k++) {
        if (!check_mutation(k % 2 == 0 ? theirs : ours, &state)) return "a mutation is read differently";
    }
    return nullptr;
}

} // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 1000;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    long differ = 0;
    for (long i = 0; i < count; i++) {
        const char* message = check_document(seed + static_cast<uint64_t>(i));
        if (message == nullptr) continue;
        std::printf("document %ld: %s\n", i, message);
        differ++;
    }
    std::printf("%ld documents, %ld of %ld mutations verified, %ld documents differ\n", count, accepted,
                10 * count, differ);
    return differ > 0;
}
