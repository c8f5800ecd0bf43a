// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "oclite/flexbuffers.h"
#include "tests/fuzz/target.h"

enum { kMaxValues = 300, kMaxDepth = 32, kMaxElements = 100 };

typedef struct Reader {
    const uint8_t* data;
    size_t size;
    int values; // that may still be read: a buffer may contain itself
} Reader;

static void require(bool condition) {
    if (!condition) abort();
}

// The bytes lie in the buffer.
static void check_inside(const Reader* reader, const void* bytes, size_t count) {
    const uintptr_t begin = (uintptr_t)reader->data, at = (uintptr_t)bytes;
    require(at >= begin && at - begin <= reader->size && count <= reader->size - (at - begin));
}

static void read_value(Reader* reader, OcliteFlex value, int depth);

static void read_text(const Reader* reader, OcliteFlex value) {
    const char* text;
    const void* bytes;
    size_t length;
    if (oclite_flex_string(value, &text, &length)) {
        check_inside(reader, text, length + 1);
        require(text[length] == 0);
    }
    if (oclite_flex_blob(value, &bytes, &length)) check_inside(reader, bytes, length);
}

static void read_numbers(OcliteFlex value) {
    int64_t whole;
    uint64_t natural;
    double real;
    bool flag;
    const bool is_number = oclite_flex_int(value, &whole);
    require(is_number == oclite_flex_uint(value, &natural));
    require(is_number == oclite_flex_float(value, &real));
    require(is_number == oclite_flex_bool(value, &flag));
}

static void read_elements(Reader* reader, OcliteFlex value, int depth) {
    size_t count;
    OcliteFlexKind kind;
    OcliteFlex element;
    if (!oclite_flex_vector_size(value, &count)) return;
    (void)oclite_flex_vector_kind(value, &kind);
    require(!oclite_flex_vector_at(value, count, &element));
    for (size_t i = 0; i < count && i < kMaxElements && reader->values > 0; i++) {
        const char* key;
        if (oclite_flex_vector_at(value, i, &element)) read_value(reader, element, depth - 1);
        if (!oclite_flex_map_key(value, i, &key)) continue;
        check_inside(reader, key, strlen(key) + 1);
        (void)oclite_flex_map_find(value, key, &element); // keys may be out of order
    }
}

static void read_value(Reader* reader, OcliteFlex value, int depth) {
    OcliteFlex other;
    if (depth == 0 || --reader->values < 0) return;
    require(oclite_flex_kind(value) <= kOcliteFlexMap);
    read_numbers(value);
    read_text(reader, value);
    read_elements(reader, value, depth);
    (void)oclite_flex_map_find(value, "max_detections", &other);
}

bool fuzz_flexbuffers(const uint8_t* data, size_t size) {
    Reader reader = {data, size, kMaxValues};
    OcliteFlex root;
    if (!oclite_flex_root(data, size, &root)) return false;
    read_value(&reader, root, kMaxDepth);
    return true;
}
