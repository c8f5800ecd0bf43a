// SPDX-License-Identifier: Apache-2.0
// Strings, blobs, keys and indirect numbers go into the document at once, while the values of containers that
// have not ended wait on a stack: how wide their slots are depends on all of them. What a container ends with
// is then one value on the stack, the place of its elements.
#include "oclite/flexbuffers_writer.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/flexbuffers_format.h"
#include "core/base/memory.h"
#include "core/base/shape.h"

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
    uint8_t* bytes;
    size_t size, bytes_capacity;
    Value* values;
    size_t value_count, value_capacity;
    Container* containers; // that have not ended
    size_t container_count, container_capacity;
    size_t* keys; // hash table of the places of all keys, plus 1; as many slots as a power of two
    size_t key_count, key_slots;
    bool finished;
    const char* error;
};

static TfLiteStatus fail(OcliteFlexWriter* w, const char* message) {
    if (w != NULL && w->error == NULL) w->error = message;
    return kTfLiteError;
}

OcliteFlexWriter* oclite_flex_writer_create(void) {
    return lite_calloc(1, sizeof(OcliteFlexWriter));
}

void oclite_flex_writer_delete(OcliteFlexWriter* writer) {
    if (writer == NULL) return;
    lite_free(writer->bytes);
    lite_free(writer->values);
    lite_free(writer->containers);
    lite_free(writer->keys);
    lite_free(writer);
}

const char* oclite_flex_writer_error(const OcliteFlexWriter* writer) {
    if (writer == NULL) return "there is no writer";
    return writer->error != NULL ? writer->error : "";
}

// ---- Bytes ----

// `array`, or a larger copy of it, with room for `needed` elements; NULL when out of memory.
static void* reserve(OcliteFlexWriter* w, void* array, size_t* capacity, size_t needed, size_t element) {
    if (needed <= *capacity) return array;
    size_t bytes;
    const size_t wanted = needed < 8 ? 8 : needed;
    const bool fits = lite_size_mul(wanted, 2 * element, &bytes);
    void* larger = fits ? lite_realloc(array, bytes) : NULL;
    if (larger == NULL)
        fail(w, "out of memory");
    else
        *capacity = 2 * wanted;
    return larger;
}

// Zeros when `data` is NULL.
static TfLiteStatus append(OcliteFlexWriter* w, const void* data, size_t size) {
    if (size > SIZE_MAX - w->size) return fail(w, "out of memory");
    uint8_t* bytes = reserve(w, w->bytes, &w->bytes_capacity, w->size + size, 1);
    if (bytes == NULL) return kTfLiteError;
    w->bytes = bytes;
    if (data != NULL)
        memcpy(bytes + w->size, data, size);
    else
        memset(bytes + w->size, 0, size);
    w->size += size;
    return kTfLiteOk;
}

static TfLiteStatus append_number(OcliteFlexWriter* w, uint64_t bits, unsigned log) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(bits >> (8 * i));
    return append(w, bytes, (size_t)1 << log);
}

static TfLiteStatus append_float(OcliteFlexWriter* w, uint64_t bits, unsigned log) {
    if (log == 3) return append_number(w, bits, log);
    double wide;
    uint32_t low;
    memcpy(&wide, &bits, sizeof wide);
    const float narrow = (float)wide;
    memcpy(&low, &narrow, sizeof low);
    return append_number(w, low, log);
}

static size_t padding(size_t size, unsigned log) {
    return (~size + 1) & (((size_t)1 << log) - 1);
}

static TfLiteStatus align(OcliteFlexWriter* w, unsigned log) {
    const size_t zeros = padding(w->size, log);
    return zeros == 0 ? kTfLiteOk : append(w, NULL, zeros);
}

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
    if (w == NULL || w->error != NULL) return false;
    const Container* container = innermost(w);
    if (w->finished)
        fail(w, "the document is finished");
    else if (container == NULL && w->value_count > 0)
        fail(w, "a second value outside of all containers");
    else if (container != NULL && container->type == kFlexTypeMap && !container->has_key)
        fail(w, "a value in a map without a key");
    else if (container != NULL && container->element != kFlexTypeVector && container->element != type)
        fail(w, "an element of another kind than its typed vector's");
    return w->error == NULL;
}

static TfLiteStatus push(OcliteFlexWriter* w, uint8_t type, uint64_t bits, uint8_t log) {
    Value* values = reserve(w, w->values, &w->value_capacity, w->value_count + 1, sizeof *values);
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
    if (!accepts(w, type) || align(w, log) != kTfLiteOk) return kTfLiteError;
    const size_t place = w->size;
    const bool is_float = type == kFlexTypeIndirectFloat;
    if ((is_float ? append_float(w, bits, log) : append_number(w, bits, log)) != kTfLiteOk)
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

// Length, bytes, and zeros behind them.
static TfLiteStatus write_bytes(OcliteFlexWriter* w, uint8_t type, const void* data, size_t size,
                                size_t zeros) {
    if (!accepts(w, type)) return kTfLiteError;
    if (data == NULL && size > 0) return fail(w, "bytes at NULL");
    const uint8_t log = log_of(size);
    if (align(w, log) != kTfLiteOk || append_number(w, size, log) != kTfLiteOk) return kTfLiteError;
    const size_t place = w->size;
    if (size > 0 && append(w, data, size) != kTfLiteOk) return kTfLiteError;
    if (zeros > 0 && append(w, NULL, zeros) != kTfLiteOk) return kTfLiteError;
    return push(w, type, place, log);
}

TfLiteStatus oclite_flex_write_string(OcliteFlexWriter* writer, const char* text, size_t length) {
    return write_bytes(writer, kFlexTypeString, text, length, 1);
}

TfLiteStatus oclite_flex_write_blob(OcliteFlexWriter* writer, const void* bytes, size_t size) {
    return write_bytes(writer, kFlexTypeBlob, bytes, size, 0);
}

// ---- Keys ----

static const char* key_at(const OcliteFlexWriter* w, size_t place) {
    return (const char*)w->bytes + place;
}

// The slot of a key, or the empty one where it belongs.
static size_t* key_slot(const OcliteFlexWriter* w, const char* key) {
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (const char* c = key; *c != 0; c++) hash = (hash ^ (uint8_t)*c) * UINT64_C(1099511628211);
    size_t i = (size_t)(hash ^ hash >> 32) & (w->key_slots - 1);
    while (w->keys[i] != 0 && strcmp(key_at(w, w->keys[i] - 1), key) != 0) i = (i + 1) & (w->key_slots - 1);
    return &w->keys[i];
}

// At least half of the slots stay empty.
static TfLiteStatus reserve_key(OcliteFlexWriter* w) {
    if (2 * (w->key_count + 1) <= w->key_slots) return kTfLiteOk;
    const size_t old_slots = w->key_slots;
    size_t* old = w->keys;
    size_t* keys = lite_calloc(old_slots == 0 ? 16 : 2 * old_slots, sizeof *keys);
    if (keys == NULL) return fail(w, "out of memory");
    w->keys = keys;
    w->key_slots = old_slots == 0 ? 16 : 2 * old_slots;
    for (size_t i = 0; i < old_slots; i++) {
        if (old[i] != 0) *key_slot(w, key_at(w, old[i] - 1)) = old[i];
    }
    lite_free(old);
    return kTfLiteOk;
}

static TfLiteStatus store_key(OcliteFlexWriter* w, const char* key, size_t* place) {
    if (reserve_key(w) != kTfLiteOk) return kTfLiteError;
    size_t* slot = key_slot(w, key);
    if (*slot == 0) {
        const size_t end = w->size;
        if (append(w, key, strlen(key) + 1) != kTfLiteOk) return kTfLiteError;
        *slot = end + 1;
        w->key_count++;
    }
    *place = *slot - 1;
    return kTfLiteOk;
}

TfLiteStatus oclite_flex_write_key(OcliteFlexWriter* writer, const char* key) {
    if (writer == NULL || writer->error != NULL) return kTfLiteError;
    if (key == NULL) return fail(writer, "a key of NULL");
    Container* map = innermost(writer);
    size_t place;
    if (map != NULL && map->type == kFlexTypeMap && !map->has_key) {
        if (store_key(writer, key, &map->key) != kTfLiteOk) return kTfLiteError;
        map->has_key = true;
        return kTfLiteOk;
    }
    if (!accepts(writer, kFlexTypeKey) || store_key(writer, key, &place) != kTfLiteOk) return kTfLiteError;
    return push(writer, kFlexTypeKey, place, 0);
}

// ---- Containers ----

static TfLiteStatus begin(OcliteFlexWriter* w, uint8_t type, uint8_t element, bool fixed) {
    if (!accepts(w, type)) return kTfLiteError;
    Container* containers =
        reserve(w, w->containers, &w->container_capacity, w->container_count + 1, sizeof *containers);
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
        const size_t place = w->size + padding(w->size, log) + (index << log);
        if (log_of(place - value->bits) <= log) break;
        log++;
    }
    return log;
}

static TfLiteStatus append_slot(OcliteFlexWriter* w, const Value* value, unsigned log) {
    if (!is_in_place(value->type)) return append_number(w, w->size - value->bits, log);
    return value->type == kFlexTypeFloat ? append_float(w, value->bits, log)
                                         : append_number(w, value->bits, log);
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
    if (align(w, log) != kTfLiteOk) return kTfLiteError;
    if (map_keys != NULL) {
        if (append_slot(w, map_keys, log) != kTfLiteOk) return kTfLiteError;
        if (append_number(w, UINT64_C(1) << map_keys->log, log) != kTfLiteOk) return kTfLiteError;
    }
    if (!container->fixed && append_number(w, count, log) != kTfLiteOk) return kTfLiteError;
    *vector = (Value){.bits = w->size, .type = kFlexTypeVectorKey, .log = log};
    for (size_t i = container->first; i < end; i++) {
        const Value element = element_at(w, i, keys);
        if (append_slot(w, &element, log) != kTfLiteOk) return kTfLiteError;
    }
    if (keys || container->element != kFlexTypeVector) return kTfLiteOk;
    for (size_t i = container->first; i < end; i++) {
        const uint8_t packed = packed_type(&w->values[i], log);
        if (append(w, &packed, 1) != kTfLiteOk) return kTfLiteError;
    }
    return kTfLiteOk;
}

static int compare_keys(const OcliteFlexWriter* w, const Value* a, const Value* b) {
    return strcmp(key_at(w, a->key), key_at(w, b->key));
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
    if (writer == NULL || writer->error != NULL) return kTfLiteError;
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
    if (align(w, log) != kTfLiteOk || append_slot(w, root, log) != kTfLiteOk) return kTfLiteError;
    return append(w, tail, sizeof tail);
}

const void* oclite_flex_finish(OcliteFlexWriter* writer, size_t* size) {
    *size = 0;
    if (writer == NULL || writer->error != NULL) return NULL;
    if (!writer->finished && append_root(writer) != kTfLiteOk) return NULL;
    writer->finished = true;
    *size = writer->size;
    return writer->bytes;
}
