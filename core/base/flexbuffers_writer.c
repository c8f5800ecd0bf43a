// SPDX-License-Identifier: Apache-2.0
// Strings, blobs, keys and indirect numbers go into the document at once, while the values of containers that
// have not ended wait on a stack: how wide their slots are depends on all of them. What a container ends with
// is then one value on the stack, the place of its elements.
#include "oclite/flexbuffers_writer.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/flexbuffers_document.h"
#include "core/base/flexbuffers_format.h"
#include "core/base/memory.h"

typedef struct Value {
    uint64_t bits; // of a number that is stored in place; of others where in the document they are
    size_t key;    // where the key is, in a map
    uint8_t type;
    uint8_t log; // log2 of the bytes that the number needs, or of the width of what is elsewhere
} Value;

typedef struct Container {
    size_t first;    // of its values on the stack
    size_t key;      // of a map: where the next value's key is
    bool has_key;    // of a map: whether there is one
    uint8_t type;    // kFlexTypeMap, or kFlexTypeVector for vectors of all sorts
    uint8_t element; // type of all elements; kFlexTypeVector when each has its own
    bool fixed;
} Container;

struct OcliteFlexWriter {
    LiteFlexDocument document;
    Value* values;
    size_t value_count, value_capacity;
    Container* containers; // that have not ended
    size_t container_count, container_capacity;
    bool finished;
};

static TfLiteStatus fail(OcliteFlexWriter* w, const char* message) {
    if (w != NULL) lite_flex_fail(&w->document, message);
    return kTfLiteError;
}

OcliteFlexWriter* oclite_flex_writer_create(void) {
    return lite_calloc(1, sizeof(OcliteFlexWriter));
}

void oclite_flex_writer_delete(OcliteFlexWriter* writer) {
    if (writer == NULL) return;
    lite_flex_document_free(&writer->document);
    lite_free(writer->values);
    lite_free(writer->containers);
    lite_free(writer);
}

const char* oclite_flex_writer_error(const OcliteFlexWriter* writer) {
    if (writer == NULL) return "there is no writer";
    return writer->document.error != NULL ? writer->document.error : "";
}

// ---- Widths ----

static uint8_t log_of(uint64_t bits) {
    return bits <= UINT8_MAX ? 0 : bits <= UINT16_MAX ? 1 : bits <= UINT32_MAX ? 2 : 3;
}

static uint8_t log_of_int(int64_t value) {
    const uint64_t bits = (uint64_t)value;
    return log_of((value < 0 ? ~bits : bits) << 1);
}

static uint8_t log_of_float(double value) {
    if (isinf(value)) return 2;
    return fabs(value) <= (double)FLT_MAX && (double)(float)value == value ? 2 : 3;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// ---- Values ----

static Container* innermost(const OcliteFlexWriter* w) {
    return w->container_count == 0 ? NULL : &w->containers[w->container_count - 1];
}

// Whether a value of that type may come next.
static bool accepts(OcliteFlexWriter* w, uint8_t type) {
    if (w == NULL || w->document.error != NULL) return false;
    const Container* container = innermost(w);
    if (w->finished)
        fail(w, "the document is finished");
    else if (container == NULL && w->value_count > 0)
        fail(w, "a second value outside of all containers");
    else if (container != NULL && container->type == kFlexTypeMap && !container->has_key)
        fail(w, "a value in a map without a key");
    else if (container != NULL && container->element != kFlexTypeVector && container->element != type)
        fail(w, "an element of another kind than its typed vector's");
    return w->document.error == NULL;
}

static TfLiteStatus push(OcliteFlexWriter* w, uint8_t type, uint64_t bits, uint8_t log) {
    Value* values =
        lite_flex_reserve(&w->document, w->values, &w->value_capacity, w->value_count + 1, sizeof *values);
    if (values == NULL) return kTfLiteError;
    w->values = values;
    Container* container = innermost(w);
    const size_t key = container != NULL ? container->key : 0;
    if (container != NULL) container->has_key = false;
    values[w->value_count++] = (Value){bits, key, type, log};
    return kTfLiteOk;
}

static TfLiteStatus write_in_place(OcliteFlexWriter* w, uint8_t type, uint64_t bits, uint8_t log) {
    return accepts(w, type) ? push(w, type, bits, log) : kTfLiteError;
}

TfLiteStatus oclite_flex_write_null(OcliteFlexWriter* writer) {
    return write_in_place(writer, kFlexTypeNull, 0, 0);
}

TfLiteStatus oclite_flex_write_int(OcliteFlexWriter* writer, int64_t value) {
    return write_in_place(writer, kFlexTypeInt, (uint64_t)value, log_of_int(value));
}

TfLiteStatus oclite_flex_write_uint(OcliteFlexWriter* writer, uint64_t value) {
    return write_in_place(writer, kFlexTypeUInt, value, log_of(value));
}

TfLiteStatus oclite_flex_write_float(OcliteFlexWriter* writer, double value) {
    return write_in_place(writer, kFlexTypeFloat, bits_of(value), log_of_float(value));
}

TfLiteStatus oclite_flex_write_bool(OcliteFlexWriter* writer, bool value) {
    return write_in_place(writer, kFlexTypeBool, value, 0);
}

static TfLiteStatus write_indirect(OcliteFlexWriter* w, uint8_t type, uint64_t bits, uint8_t log) {
    if (!accepts(w, type) || lite_flex_align(&w->document, log) != kTfLiteOk) return kTfLiteError;
    const size_t place = w->document.size;
    const bool is_float = type == kFlexTypeIndirectFloat;
    if ((is_float ? lite_flex_append_float(&w->document, bits, log)
                  : lite_flex_append_number(&w->document, bits, log)) != kTfLiteOk)
        return kTfLiteError;
    return push(w, type, place, log);
}

TfLiteStatus oclite_flex_write_indirect_int(OcliteFlexWriter* writer, int64_t value) {
    return write_indirect(writer, kFlexTypeIndirectInt, (uint64_t)value, log_of_int(value));
}

TfLiteStatus oclite_flex_write_indirect_uint(OcliteFlexWriter* writer, uint64_t value) {
    return write_indirect(writer, kFlexTypeIndirectUInt, value, log_of(value));
}

TfLiteStatus oclite_flex_write_indirect_float(OcliteFlexWriter* writer, double value) {
    return write_indirect(writer, kFlexTypeIndirectFloat, bits_of(value), log_of_float(value));
}

// Length, bytes, and zeros after them.
static TfLiteStatus write_bytes(OcliteFlexWriter* w, uint8_t type, const void* data, size_t size,
                                size_t zeros) {
    if (!accepts(w, type)) return kTfLiteError;
    if (data == NULL && size > 0) return fail(w, "bytes at NULL");
    const uint8_t log = log_of(size);
    if (lite_flex_align(&w->document, log) != kTfLiteOk ||
        lite_flex_append_number(&w->document, size, log) != kTfLiteOk)
        return kTfLiteError;
    const size_t place = w->document.size;
    if (size > 0 && lite_flex_append(&w->document, data, size) != kTfLiteOk) return kTfLiteError;
    if (zeros > 0 && lite_flex_append(&w->document, NULL, zeros) != kTfLiteOk) return kTfLiteError;
    return push(w, type, place, log);
}

TfLiteStatus oclite_flex_write_string(OcliteFlexWriter* writer, const char* text, size_t length) {
    return write_bytes(writer, kFlexTypeString, text, length, 1);
}

TfLiteStatus oclite_flex_write_blob(OcliteFlexWriter* writer, const void* bytes, size_t size) {
    return write_bytes(writer, kFlexTypeBlob, bytes, size, 0);
}

// ---- Keys ----

TfLiteStatus oclite_flex_write_key(OcliteFlexWriter* writer, const char* key) {
    if (writer == NULL || writer->document.error != NULL) return kTfLiteError;
    if (key == NULL) return fail(writer, "a key of NULL");
    Container* map = innermost(writer);
    size_t place;
    if (map != NULL && map->type == kFlexTypeMap && !map->has_key) {
        if (lite_flex_store_key(&writer->document, key, &map->key) != kTfLiteOk) return kTfLiteError;
        map->has_key = true;
        return kTfLiteOk;
    }
    if (!accepts(writer, kFlexTypeKey) || lite_flex_store_key(&writer->document, key, &place) != kTfLiteOk)
        return kTfLiteError;
    return push(writer, kFlexTypeKey, place, 0);
}

// ---- Containers ----

static TfLiteStatus begin(OcliteFlexWriter* w, uint8_t type, uint8_t element, bool fixed) {
    if (!accepts(w, type)) return kTfLiteError;
    Container* containers = lite_flex_reserve(&w->document, w->containers, &w->container_capacity,
                                              w->container_count + 1, sizeof *containers);
    if (containers == NULL) return kTfLiteError;
    w->containers = containers;
    containers[w->container_count++] =
        (Container){.first = w->value_count, .type = type, .element = element, .fixed = fixed};
    return kTfLiteOk;
}

TfLiteStatus oclite_flex_begin_map(OcliteFlexWriter* writer) {
    return begin(writer, kFlexTypeMap, kFlexTypeVector, false);
}

TfLiteStatus oclite_flex_begin_vector(OcliteFlexWriter* writer) {
    return begin(writer, kFlexTypeVector, kFlexTypeVector, false);
}

// kFlexTypeNull for kinds of which there are no typed vectors.
static uint8_t element_type(OcliteFlexKind kind) {
    switch (kind) {
    case kOcliteFlexInt:
        return kFlexTypeInt;
    case kOcliteFlexUInt:
        return kFlexTypeUInt;
    case kOcliteFlexFloat:
        return kFlexTypeFloat;
    case kOcliteFlexBool:
        return kFlexTypeBool;
    case kOcliteFlexKey:
        return kFlexTypeKey;
    case kOcliteFlexString:
        return kFlexTypeString;
    default:
        return kFlexTypeNull;
    }
}

TfLiteStatus oclite_flex_begin_typed_vector(OcliteFlexWriter* writer, OcliteFlexKind element) {
    const uint8_t type = element_type(element);
    if (type == kFlexTypeNull) return fail(writer, "a typed vector of a kind that there is none of");
    return begin(writer, kFlexTypeVector, type, false);
}

TfLiteStatus oclite_flex_begin_fixed_vector(OcliteFlexWriter* writer, OcliteFlexKind element) {
    const uint8_t type = element_type(element);
    if (type < kFlexTypeInt || type > kFlexTypeFloat)
        return fail(writer, "a fixed vector of other than numbers");
    return begin(writer, kFlexTypeVector, type, true);
}

static bool is_in_place(uint8_t type) {
    return type <= kFlexTypeFloat || type == kFlexTypeBool;
}

// log2 of the bytes of the slot that a value needs `index` slots after the end of the document. Wider slots
// before it make distances larger, but never beyond the next width.
static uint8_t slot_log(const OcliteFlexWriter* w, const Value* value, size_t index) {
    if (is_in_place(value->type)) return value->log;
    uint8_t log = 0;
    while (log < 3) {
        const size_t place = w->document.size + lite_flex_padding(w->document.size, log) + (index << log);
        if (log_of(place - value->bits) <= log) break;
        log++;
    }
    return log;
}

static TfLiteStatus append_slot(OcliteFlexWriter* w, const Value* value, unsigned log) {
    if (!is_in_place(value->type))
        return lite_flex_append_number(&w->document, w->document.size - value->bits, log);
    return value->type == kFlexTypeFloat ? lite_flex_append_float(&w->document, value->bits, log)
                                         : lite_flex_append_number(&w->document, value->bits, log);
}

static uint8_t packed_type(const Value* value, uint8_t log) {
    return (uint8_t)(value->type << 2 | (is_in_place(value->type) ? log : value->log));
}

// What the elements of a vector are: values on the stack, or those values' keys.
static Value element_at(const OcliteFlexWriter* w, size_t index, bool keys) {
    const Value value = w->values[index];
    return keys ? (Value){.bits = value.key, .type = kFlexTypeKey} : value;
}

// Appends the values of `container`, or their keys; `map_keys` is where the keys of a map are, NULL for
// others. *vector is the result, of the type that a vector of keys has.
static TfLiteStatus append_vector(OcliteFlexWriter* w, const Container* container, bool keys,
                                  const Value* map_keys, Value* vector) {
    const size_t end = w->value_count, count = end - container->first;
    const size_t before = container->fixed ? 0 : map_keys != NULL ? 3 : 1;
    uint8_t log = container->fixed ? 0 : log_of(count);
    for (size_t i = container->first; i < end; i++) {
        const Value element = element_at(w, i, keys);
        const uint8_t needed = slot_log(w, &element, before + i - container->first);
        if (needed > log) log = needed;
    }
    if (map_keys != NULL && slot_log(w, map_keys, 0) > log) log = slot_log(w, map_keys, 0);
    if (lite_flex_align(&w->document, log) != kTfLiteOk) return kTfLiteError;
    if (map_keys != NULL) {
        if (append_slot(w, map_keys, log) != kTfLiteOk) return kTfLiteError;
        if (lite_flex_append_number(&w->document, UINT64_C(1) << map_keys->log, log) != kTfLiteOk)
            return kTfLiteError;
    }
    if (!container->fixed && lite_flex_append_number(&w->document, count, log) != kTfLiteOk)
        return kTfLiteError;
    *vector = (Value){.bits = w->document.size, .type = kFlexTypeVectorKey, .log = log};
    for (size_t i = container->first; i < end; i++) {
        const Value element = element_at(w, i, keys);
        if (append_slot(w, &element, log) != kTfLiteOk) return kTfLiteError;
    }
    if (keys || container->element != kFlexTypeVector) return kTfLiteOk;
    for (size_t i = container->first; i < end; i++) {
        const uint8_t packed = packed_type(&w->values[i], log);
        if (lite_flex_append(&w->document, &packed, 1) != kTfLiteOk) return kTfLiteError;
    }
    return kTfLiteOk;
}

static int compare_keys(const OcliteFlexWriter* w, const Value* a, const Value* b) {
    return strcmp(lite_flex_key(&w->document, a->key), lite_flex_key(&w->document, b->key));
}

// Restores the heap of `count` values, largest first, below values[i].
static void sift_down(const OcliteFlexWriter* w, Value* values, size_t i, size_t count) {
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && compare_keys(w, &values[child], &values[child + 1]) < 0) child++;
        if (compare_keys(w, &values[i], &values[child]) >= 0) return;
        const Value larger = values[child];
        values[child] = values[i];
        values[i] = larger;
        i = child;
    }
}

static void sort_by_key(const OcliteFlexWriter* w, Value* values, size_t count) {
    for (size_t i = count / 2; i-- > 0;) sift_down(w, values, i, count);
    for (size_t end = count; end-- > 1;) {
        const Value largest = values[0];
        values[0] = values[end];
        values[end] = largest;
        sift_down(w, values, 0, end);
    }
}

static TfLiteStatus append_map(OcliteFlexWriter* w, const Container* map, Value* result) {
    Value* values = w->values + map->first;
    const size_t count = w->value_count - map->first;
    if (map->has_key) return fail(w, "a key without a value");
    if (count > 0) sort_by_key(w, values, count);
    for (size_t i = 1; i < count; i++) {
        if (values[i - 1].key == values[i].key) return fail(w, "a key twice in a map");
    }
    Value keys;
    if (append_vector(w, map, true, NULL, &keys) != kTfLiteOk) return kTfLiteError;
    return append_vector(w, map, false, &keys, result);
}

static TfLiteStatus append_container(OcliteFlexWriter* w, const Container* container, Value* result) {
    const size_t count = w->value_count - container->first;
    const uint8_t element = container->element;
    if (container->type == kFlexTypeMap) {
        if (append_map(w, container, result) != kTfLiteOk) return kTfLiteError;
        result->type = kFlexTypeMap;
        return kTfLiteOk;
    }
    if (container->fixed && (count < 2 || count > 4))
        return fail(w, "a fixed vector of other than 2, 3, 4 numbers");
    if (append_vector(w, container, false, NULL, result) != kTfLiteOk) return kTfLiteError;
    if (element == kFlexTypeVector)
        result->type = kFlexTypeVector;
    else if (element == kFlexTypeBool)
        result->type = kFlexTypeVectorBool;
    else if (container->fixed)
        result->type = (uint8_t)(kFlexTypeVectorInt2 + 3 * (count - 2) + element - kFlexTypeInt);
    else
        result->type = (uint8_t)(kFlexTypeVectorInt + element - kFlexTypeInt);
    return kTfLiteOk;
}

TfLiteStatus oclite_flex_end(OcliteFlexWriter* writer) {
    if (writer == NULL || writer->document.error != NULL) return kTfLiteError;
    const Container* container = innermost(writer);
    if (container == NULL) return fail(writer, "an end without a beginning");
    Value vector;
    if (append_container(writer, container, &vector) != kTfLiteOk) return kTfLiteError;
    writer->value_count = container->first;
    writer->container_count--;
    return push(writer, vector.type, vector.bits, vector.log);
}

static TfLiteStatus append_root(OcliteFlexWriter* w) {
    if (w->container_count > 0) return fail(w, "a container that has not been ended");
    if (w->value_count == 0) return fail(w, "a document without a value");
    const Value* root = &w->values[0];
    const uint8_t log = slot_log(w, root, 0);
    const uint8_t tail[2] = {packed_type(root, log), (uint8_t)(1u << log)};
    if (lite_flex_align(&w->document, log) != kTfLiteOk || append_slot(w, root, log) != kTfLiteOk)
        return kTfLiteError;
    return lite_flex_append(&w->document, tail, sizeof tail);
}

const void* oclite_flex_finish(OcliteFlexWriter* writer, size_t* size) {
    if (size != NULL) *size = 0;
    if (writer == NULL || writer->document.error != NULL) return NULL;
    if (!writer->finished && append_root(writer) != kTfLiteOk) return NULL;
    writer->finished = true;
    if (size != NULL) *size = writer->document.size;
    return writer->document.bytes;
}
