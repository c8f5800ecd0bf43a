// SPDX-License-Identifier: Apache-2.0
// HASHTABLE, HASHTABLE_IMPORT, HASHTABLE_FIND, HASHTABLE_SIZE: tables from int64 to strings or from strings
// to int64, filled once and shared by all subgraphs of an interpreter.
#include <limits.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/base/host.h"
#include "kernels-cpu/support/kernel.h"
#include "kernels-cpu/support/resource.h"
#include "kernels-cpu/support/strings.h"

// The string of an entry is the key or the value, the number is the other of the two.
typedef struct Entry {
    int64_t number;
    const char* text;
    size_t length;
    bool used;
} Entry;

typedef struct Table {
    TfLiteType key_type;
    TfLiteType value_type;
    bool filled;
    size_t capacity; // a power of two, more than the entries
    int64_t count;
    Entry* entries; // open addressing
    LiteArena texts;
} Table;

static void destroy_table(void* object) {
    Table* table = object;
    if (table == NULL) return;
    lite_free(table->entries);
    lite_arena_free(&table->texts);
    lite_free(table);
}

static uint64_t hash_bytes(const void* data, size_t length) {
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char*)data)[i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

static bool same_key(const Table* table, const Entry* a, const Entry* b) {
    if (table->key_type == kTfLiteInt64) return a->number == b->number;
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

// The entry with the key of `wanted`, or the unused one where it belongs.
static Entry* find_entry(const Table* table, const Entry* wanted) {
    const uint64_t hash = table->key_type == kTfLiteInt64 ? hash_bytes(&wanted->number, sizeof wanted->number)
                                                          : hash_bytes(wanted->text, wanted->length);
    size_t i = (size_t)hash & (table->capacity - 1);
    while (table->entries[i].used && !same_key(table, &table->entries[i], wanted))
        i = (i + 1) & (table->capacity - 1);
    return &table->entries[i];
}

// Takes element `i` of `view` as the number or text of an entry.
static void read_element(const LiteView* view, int64_t i, Entry* entry) {
    if (view->type == kTfLiteInt64) {
        entry->number = ((const int64_t*)view->data)[i];
    } else {
        entry->text = lite_strings_get(view, i, &entry->length);
    }
}

static bool table_types(TfLiteType key, TfLiteType value) {
    return (key == kTfLiteInt64 && value == kTfLiteString) || (key == kTfLiteString && value == kTfLiteInt64);
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const char* op, TfLiteType key,
                                TfLiteType value) {
    if (table_types(key, value)) return kTfLiteOk;
    return lite_fail(context, "%s: tables from %s to %s are not supported", op, TfLiteTypeGetName(key),
                     TfLiteTypeGetName(value));
}

// HASHTABLE

static TfLiteStatus table_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteHashtableParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LITE_TRY(lite_kernel_check_counts(context, node, "HASHTABLE", 0, 0, 1));
    if (params == NULL) return lite_fail(context, "HASHTABLE: has no parameters");
    LITE_TRY(check_types(context, "HASHTABLE", params->key_dtype, params->value_dtype));
    LiteResource* resource =
        lite_resource_get(&lite_host(context)->resources, kLiteResourceTable, params->table_id);
    if (resource != NULL && resource->object == NULL) {
        Table* table = lite_calloc(1, sizeof *table);
        resource->object = table;
        resource->destroy = destroy_table;
        if (table != NULL) {
            table->key_type = params->key_dtype;
            table->value_type = params->value_dtype;
        }
    }
    if (resource == NULL || resource->object == NULL) return lite_fail(context, "HASHTABLE: out of memory");
    LITE_TRY(lite_kernel_resize(context, TfLiteOpaqueNodeGetOutput(context, node, 0), &(LiteShape){1, {1}}));
    return lite_resource_write_handle(context, node, "HASHTABLE", params->table_id);
}

static TfLiteStatus table_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    (void)node; // the handle never changes
    return kTfLiteOk;
}

const LiteKernel lite_kernel_HASHTABLE = {.prepare = table_prepare, .invoke = table_invoke};

static TfLiteStatus read_table(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               Table** table) {
    LiteResource* resource;
    LITE_TRY(lite_resource_read_handle(context, node, op, kLiteResourceTable, &resource));
    *table = resource->object;
    return *table ? kTfLiteOk : lite_fail(context, "%s: there is no such table", op);
}

// The table's types are those of two tensors.
static TfLiteStatus check_table(TfLiteOpaqueContext* context, const char* op, const Table* table,
                                TfLiteType key, TfLiteType value) {
    if (table->key_type == key && table->value_type == value) return kTfLiteOk;
    return lite_fail(context, "%s: the table goes from %s to %s, the tensors are of types %s and %s", op,
                     TfLiteTypeGetName(table->key_type), TfLiteTypeGetName(table->value_type),
                     TfLiteTypeGetName(key), TfLiteTypeGetName(value));
}

static TfLiteStatus check_contents(TfLiteOpaqueContext* context, const char* op, const LiteView* view) {
    return view->type == kTfLiteString ? lite_strings_check(context, op, view) : kTfLiteOk;
}

// HASHTABLE_IMPORT

static TfLiteStatus import_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView keys, values;
    LITE_TRY(lite_kernel_check_counts(context, node, "HASHTABLE_IMPORT", 3, 3, 0));
    LITE_TRY(lite_resource_check_handle(context, node, "HASHTABLE_IMPORT"));
    LITE_TRY(lite_kernel_input(context, node, "HASHTABLE_IMPORT", 1, &keys));
    LITE_TRY(lite_kernel_input(context, node, "HASHTABLE_IMPORT", 2, &values));
    LITE_TRY(check_types(context, "HASHTABLE_IMPORT", keys.type, values.type));
    if (lite_shape_equal(&keys.shape, &values.shape)) return kTfLiteOk;
    return lite_fail(context, "HASHTABLE_IMPORT: %lld keys and %lld values, expected tensors of one shape",
                     (long long)keys.count, (long long)values.count);
}

static bool reserve_entries(Table* table, int64_t count) {
    size_t capacity = 4;
    while ((int64_t)(capacity / 2) < count) capacity *= 2;
    table->entries = lite_calloc(capacity, sizeof *table->entries);
    table->capacity = capacity;
    return table->entries != NULL;
}

// Of equal keys the first one counts.
static bool insert(Table* table, Entry entry) {
    Entry* place = find_entry(table, &entry);
    if (place->used) return true;
    char* text = lite_arena_alloc(&table->texts, entry.length, 1);
    if (text == NULL) return false;
    if (entry.length > 0) memcpy(text, entry.text, entry.length);
    entry.text = text;
    entry.used = true;
    *place = entry;
    table->count++;
    return true;
}

static TfLiteStatus import_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const char* op = "HASHTABLE_IMPORT";
    Table* table;
    LiteView keys, values;
    LITE_TRY(read_table(context, node, op, &table));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &keys));
    LITE_TRY(lite_kernel_input(context, node, op, 2, &values));
    LITE_TRY(check_table(context, op, table, keys.type, values.type));
    if (table->filled) return kTfLiteOk; // a table is filled once
    LITE_TRY(check_contents(context, op, &keys));
    LITE_TRY(check_contents(context, op, &values));
    lite_free(table->entries); // of an import that failed
    table->count = 0;
    bool ok = reserve_entries(table, keys.count);
    for (int64_t i = 0; i < keys.count && ok; i++) {
        if (lite_cancelled_at(i)) return kTfLiteOk; // the next import begins anew
        Entry entry = {0};
        read_element(&keys, i, &entry);
        read_element(&values, i, &entry);
        ok = insert(table, entry);
    }
    if (!ok) return lite_fail(context, "%s: out of memory for %lld entries", op, (long long)keys.count);
    table->filled = true;
    return kTfLiteOk;
}

const LiteKernel lite_kernel_HASHTABLE_IMPORT = {.prepare = import_prepare, .invoke = import_invoke};

// HASHTABLE_FIND

static TfLiteStatus find_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const char* op = "HASHTABLE_FIND";
    LiteView keys, missing, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 1));
    LITE_TRY(lite_resource_check_handle(context, node, op));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &keys));
    LITE_TRY(lite_kernel_input(context, node, op, 2, &missing));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(check_types(context, op, keys.type, output.type));
    if (missing.type != output.type || missing.count != 1) {
        return lite_fail(context, "%s: the default is not one element of type %s", op,
                         TfLiteTypeGetName(output.type));
    }
    return lite_kernel_resize(context, output.tensor, &keys.shape);
}

static TfLiteStatus write_texts(TfLiteOpaqueContext* context, const Table* table, const LiteView* keys,
                                const Entry* missing, TfLiteOpaqueTensor* output) {
    const char** texts = lite_calloc((size_t)keys->count, sizeof *texts);
    int* lengths = lite_calloc((size_t)keys->count, sizeof *lengths);
    TfLiteStatus status = kTfLiteError;
    bool ok = texts != NULL && lengths != NULL && keys->count <= INT_MAX;
    for (int64_t i = 0; i < keys->count && ok; i++) {
        Entry wanted = {0};
        read_element(keys, i, &wanted);
        const Entry* entry = table->filled ? find_entry(table, &wanted) : missing;
        if (!entry->used) entry = missing;
        texts[i] = entry->text;
        lengths[i] = (int)entry->length;
    }
    if (ok) status = TfLiteOpaqueTensorWriteStrings(output, texts, (int)keys->count, lengths);
    lite_free(texts);
    lite_free(lengths);
    if (status != kTfLiteOk) return lite_fail(context, "HASHTABLE_FIND: out of memory");
    return lite_kernel_resize(context, output, &keys->shape);
}

static TfLiteStatus find_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const char* op = "HASHTABLE_FIND";
    Table* table;
    LiteView keys, default_value;
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    LITE_TRY(read_table(context, node, op, &table));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &keys));
    LITE_TRY(lite_kernel_input(context, node, op, 2, &default_value));
    LITE_TRY(check_table(context, op, table, keys.type, default_value.type));
    LITE_TRY(check_contents(context, op, &keys));
    LITE_TRY(check_contents(context, op, &default_value));
    Entry missing = {0};
    read_element(&default_value, 0, &missing);
    if (default_value.type == kTfLiteString) return write_texts(context, table, &keys, &missing, output);
    int64_t* values = TfLiteOpaqueTensorData(output);
    for (int64_t i = 0; i < keys.count && !lite_cancelled_at(i); i++) {
        Entry wanted = {0};
        read_element(&keys, i, &wanted);
        const Entry* entry = table->filled ? find_entry(table, &wanted) : &missing;
        values[i] = entry->used ? entry->number : missing.number;
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_HASHTABLE_FIND = {.prepare = find_prepare, .invoke = find_invoke};

// HASHTABLE_SIZE

static TfLiteStatus size_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView output;
    LITE_TRY(lite_kernel_check_counts(context, node, "HASHTABLE_SIZE", 1, 1, 1));
    LITE_TRY(lite_resource_check_handle(context, node, "HASHTABLE_SIZE"));
    LITE_TRY(lite_kernel_output(context, node, "HASHTABLE_SIZE", 0, &output));
    if (output.type != kTfLiteInt64) {
        return lite_fail(context, "HASHTABLE_SIZE: the output is of type %s, expected INT64",
                         TfLiteTypeGetName(output.type));
    }
    return lite_kernel_resize(context, output.tensor, &(LiteShape){1, {1}});
}

static TfLiteStatus size_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Table* table;
    LiteView output;
    LITE_TRY(read_table(context, node, "HASHTABLE_SIZE", &table));
    LITE_TRY(lite_kernel_output(context, node, "HASHTABLE_SIZE", 0, &output));
    *(int64_t*)output.data = table->filled ? table->count : 0;
    return kTfLiteOk;
}

const LiteKernel lite_kernel_HASHTABLE_SIZE = {.prepare = size_prepare, .invoke = size_invoke};
