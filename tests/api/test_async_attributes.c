// SPDX-License-Identifier: Apache-2.0
// Attribute maps, wrappers of buffers and synchronization objects, and the rules by which attributes of
// program and delegate are brought together.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/attributes.h"
#include "core/base/memory.h"
#include "tensorflow/lite/async/interop/c/constants.h"
#include "tests/api/cmocka_setup.h"

static void kinds_of_maps(void** state) {
    (void)state;
    TfLiteAttributeMap* buffer = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* sync = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    TfLiteAttributeMap* unknown = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeUnknown);
    assert_true(TfLiteAttributeMapIsBufferAttributeMap(buffer));
    assert_false(TfLiteAttributeMapIsSyncAttributeMap(buffer));
    assert_false(TfLiteAttributeMapIsBufferAttributeMap(sync));
    assert_true(TfLiteAttributeMapIsSyncAttributeMap(sync));
    assert_false(TfLiteAttributeMapIsBufferAttributeMap(unknown) ||
                 TfLiteAttributeMapIsSyncAttributeMap(unknown));
    assert_false(TfLiteAttributeMapIsBufferAttributeMap(NULL) || TfLiteAttributeMapIsSyncAttributeMap(NULL));
    TfLiteAttributeMapDelete(buffer);
    TfLiteAttributeMapDelete(sync);
    TfLiteAttributeMapDelete(unknown);
    TfLiteAttributeMapDelete(NULL);
}

static void attributes_of_buffers(void** state) {
    (void)state;
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    size_t size = 7;
    const char* text = NULL;
    bool flag = false;
    assert_false(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, &size));
    assert_int_equal(size, 7);
    assert_true(TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, SIZE_MAX));
    assert_true(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, &size));
    assert_true(size == SIZE_MAX);
    assert_true(TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, 8));
    assert_true(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, &size));
    assert_int_equal(size, 8);
    assert_false(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, NULL));

    static const char name[] = "some type";
    assert_true(TfLiteAttributeMapSetStringBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName, name));
    assert_true(TfLiteAttributeMapGetStringBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName, &text));
    assert_ptr_equal(text, name);
    assert_true(TfLiteAttributeMapSetBoolBufferAttr(map, kTfLiteBufferAttrKeyCurrentHostCacheState, true));
    assert_true(TfLiteAttributeMapGetBoolBufferAttr(map, kTfLiteBufferAttrKeyCurrentHostCacheState, &flag));
    assert_true(flag);
    // Another type is another value.
    assert_false(TfLiteAttributeMapGetStringBufferAttr(map, kTfLiteBufferAttrKeySize, &text));
    assert_false(TfLiteAttributeMapGetBoolBufferAttr(map, kTfLiteBufferAttrKeySize, &flag));
    assert_false(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName, &size));

    // Another kind of map has other keys.
    assert_false(TfLiteAttributeMapSetStringSyncAttr(map, kTfLiteSynchronizationAttrKeyObjectTypeName, name));
    assert_false(
        TfLiteAttributeMapGetStringSyncAttr(map, kTfLiteSynchronizationAttrKeyObjectTypeName, &text));
    TfLiteAttributeMapDelete(map);
}

static void attributes_of_syncs(void** state) {
    (void)state;
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    const TfLiteSynchronizationAttrKey key = kTfLiteSynchronizationAttrKeyObjectTypeName;
    const char* text = NULL;
    size_t size;
    bool flag;
    assert_false(TfLiteAttributeMapGetStringSyncAttr(map, key, &text));
    assert_true(TfLiteAttributeMapSetStringSyncAttr(map, key, kTfLiteSyncTypeNoSyncObj));
    assert_true(TfLiteAttributeMapGetStringSyncAttr(map, key, &text));
    assert_string_equal(text, "no_sync_obj");
    assert_false(TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, 1));
    assert_false(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, &size));
    assert_false(TfLiteAttributeMapSetStringBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName, "x"));
    assert_false(TfLiteAttributeMapGetStringBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName, &text));
    assert_false(TfLiteAttributeMapSetBoolBufferAttr(map, kTfLiteBufferAttrKeyCurrentHostCacheState, true));
    assert_false(TfLiteAttributeMapGetBoolBufferAttr(map, kTfLiteBufferAttrKeyCurrentHostCacheState, &flag));
    TfLiteAttributeMapDelete(map);
}

static void attributes_of_any_map(void** state) {
    (void)state;
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    int number = 0;
    size_t size = 0;
    const char* text = NULL;
    bool flag = false;
    TfLiteAttributeMapSetIntAttr(map, 1000, -3);
    TfLiteAttributeMapSetSizeTAttr(map, 1001, 42);
    TfLiteAttributeMapSetStringAttr(map, 1002, "text");
    TfLiteAttributeMapSetBoolAttr(map, UINT32_MAX, true);
    assert_true(TfLiteAttributeMapGetIntAttr(map, 1000, &number));
    assert_true(TfLiteAttributeMapGetSizeTAttr(map, 1001, &size));
    assert_true(TfLiteAttributeMapGetStringAttr(map, 1002, &text));
    assert_true(TfLiteAttributeMapGetBoolAttr(map, UINT32_MAX, &flag));
    assert_true(number == -3 && size == 42 && strcmp(text, "text") == 0 && flag);
    assert_false(TfLiteAttributeMapGetIntAttr(map, 1001, &number));
    assert_false(TfLiteAttributeMapGetSizeTAttr(map, 1000, &size));
    assert_false(TfLiteAttributeMapGetStringAttr(map, UINT32_MAX, &text));
    assert_false(TfLiteAttributeMapGetBoolAttr(map, 1002, &flag));
    // The last setting counts, whatever its type.
    TfLiteAttributeMapSetStringAttr(map, 1000, "now text");
    assert_false(TfLiteAttributeMapGetIntAttr(map, 1000, &number));
    assert_true(TfLiteAttributeMapGetStringAttr(map, 1000, &text));
    assert_string_equal(text, "now text");
    TfLiteAttributeMapDelete(map);
}

static void attributes_by_name(void** state) {
    (void)state;
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    int number = 0;
    size_t size = 0;
    const char* text = NULL;
    bool flag = false;
    char key[] = "int";
    TfLiteAttributeMapSetCustomIntAttr(map, key, 21);
    key[0] = 'I'; // the map has its own copy of the name
    TfLiteAttributeMapSetCustomSizeTAttr(map, "size", 42);
    TfLiteAttributeMapSetCustomStringAttr(map, "string", "text");
    TfLiteAttributeMapSetCustomBoolAttr(map, "bool", true);
    assert_true(TfLiteAttributeMapGetCustomIntAttr(map, "int", &number));
    assert_true(TfLiteAttributeMapGetCustomSizeTAttr(map, "size", &size));
    assert_true(TfLiteAttributeMapGetCustomStringAttr(map, "string", &text));
    assert_true(TfLiteAttributeMapGetCustomBoolAttr(map, "bool", &flag));
    assert_true(number == 21 && size == 42 && strcmp(text, "text") == 0 && flag);
    assert_false(TfLiteAttributeMapGetCustomIntAttr(map, "Int", &number));
    assert_false(TfLiteAttributeMapGetCustomIntAttr(map, "size", &number));
    assert_false(TfLiteAttributeMapGetCustomIntAttr(map, NULL, &number));
    // Names and numbers are different keys.
    assert_false(TfLiteAttributeMapGetIntAttr(map, 0, &number));
    TfLiteAttributeMapSetIntAttr(map, 0, 1);
    assert_true(TfLiteAttributeMapGetCustomIntAttr(map, "int", &number));
    assert_int_equal(number, 21);
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "key %d", i);
        TfLiteAttributeMapSetCustomIntAttr(map, name, i);
    }
    assert_true(TfLiteAttributeMapGetCustomIntAttr(map, "key 77", &number));
    assert_int_equal(number, 77);
    TfLiteAttributeMapSetCustomIntAttr(map, NULL, 1);
    TfLiteAttributeMapDelete(map);
}

static void nothing_is_an_error(void** state) {
    (void)state;
    int number;
    size_t size;
    const char* text;
    bool flag;
    assert_false(TfLiteAttributeMapGetSizeTBufferAttr(NULL, kTfLiteBufferAttrKeySize, &size));
    assert_false(TfLiteAttributeMapSetSizeTBufferAttr(NULL, kTfLiteBufferAttrKeySize, 1));
    assert_false(TfLiteAttributeMapGetIntAttr(NULL, 1, &number));
    assert_false(TfLiteAttributeMapGetSizeTAttr(NULL, 1, &size));
    assert_false(TfLiteAttributeMapGetStringAttr(NULL, 1, &text));
    assert_false(TfLiteAttributeMapGetCustomBoolAttr(NULL, "key", &flag));
    TfLiteAttributeMapSetIntAttr(NULL, 1, 1);
    TfLiteAttributeMapSetCustomStringAttr(NULL, "key", "text");
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMapCopy(NULL, map);
    TfLiteAttributeMapCopy(map, NULL);
    TfLiteAttributeMapDelete(map);
}

static void copies(void** state) {
    (void)state;
    TfLiteAttributeMap* from = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* to = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    TfLiteAttributeMapSetIntAttr(from, 10, 1);
    TfLiteAttributeMapSetCustomIntAttr(from, "key", 2);
    TfLiteAttributeMapSetIntAttr(to, 11, 3);
    TfLiteAttributeMapCopy(from, to);
    TfLiteAttributeMapCopy(to, to);
    TfLiteAttributeMapDelete(from);
    int number;
    assert_true(TfLiteAttributeMapIsBufferAttributeMap(to));
    assert_true(TfLiteAttributeMapGetIntAttr(to, 10, &number) && number == 1);
    assert_true(TfLiteAttributeMapGetCustomIntAttr(to, "key", &number) && number == 2);
    assert_false(TfLiteAttributeMapGetIntAttr(to, 11, &number));
    TfLiteAttributeMapDelete(to);
}

static void wrappers(void** state) {
    (void)state;
    int a;
    double b;
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    assert_null(TfLiteBackendBufferGetPtr(buffer));
    TfLiteBackendBufferSetPtr(buffer, &a);
    assert_ptr_equal(TfLiteBackendBufferGetPtr(buffer), &a);
    TfLiteBackendBufferSetPtr(buffer, &b);
    assert_ptr_equal(TfLiteBackendBufferGetPtr(buffer), &b);
    TfLiteBackendBufferDelete(buffer);
    TfLiteBackendBufferDelete(NULL);
    TfLiteBackendBufferSetPtr(NULL, &a);
    assert_null(TfLiteBackendBufferGetPtr(NULL));

    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    assert_null(TfLiteSynchronizationGetPtr(sync));
    TfLiteSynchronizationSetPtr(sync, &a);
    assert_ptr_equal(TfLiteSynchronizationGetPtr(sync), &a);
    TfLiteSynchronizationDelete(sync);
    TfLiteSynchronizationDelete(NULL);
    TfLiteSynchronizationSetPtr(NULL, &a);
    assert_null(TfLiteSynchronizationGetPtr(NULL));
}

// Rules.

// Two maps and where the results go.
typedef struct Pair {
    TfLiteAttributeMap* left;
    TfLiteAttributeMap* right;
    TfLiteAttributeMap* merged;
    TfLiteAttributeMap* conflict;
} Pair;

static Pair make_pair(TfLiteAttrMapType type) {
    return (Pair){TfLiteAttributeMapCreate(type), TfLiteAttributeMapCreate(type),
                  TfLiteAttributeMapCreate(kTfLiteAttrMapTypeUnknown),
                  TfLiteAttributeMapCreate(kTfLiteAttrMapTypeUnknown)};
}

static void delete_pair(Pair pair) {
    TfLiteAttributeMapDelete(pair.left);
    TfLiteAttributeMapDelete(pair.right);
    TfLiteAttributeMapDelete(pair.merged);
    TfLiteAttributeMapDelete(pair.conflict);
}

static void quantities(void** state) {
    (void)state;
    static const struct {
        TfLiteBufferAttrKey key;
        size_t left, right;
        bool possible;
        size_t merged;
        bool covered; // left is all that right asks for
    } cases[] = {
        {kTfLiteBufferAttrKeySize, 4, 4, true, 4, true},
        {kTfLiteBufferAttrKeySize, 1, 4, true, 4, false},
        {kTfLiteBufferAttrKeySize, 8, 3, true, 8, true},
        {kTfLiteBufferAttrKeySize, 0, SIZE_MAX, true, SIZE_MAX, false},
        {kTfLiteBufferAttrKeyAlignment, 4, 4, true, 4, true},
        {kTfLiteBufferAttrKeyAlignment, 1, 4, true, 4, false},
        {kTfLiteBufferAttrKeyAlignment, 8, 3, true, 24, false},
        {kTfLiteBufferAttrKeyAlignment, 12, 18, true, 36, false},
        {kTfLiteBufferAttrKeyAlignment, 64, 16, true, 64, true},
        {kTfLiteBufferAttrKeyAlignment, 4, 0, true, 0, true},
        {kTfLiteBufferAttrKeyAlignment, 0, 0, true, 0, true},
        {kTfLiteBufferAttrKeyAlignment, SIZE_MAX, SIZE_MAX - 1, false, 0, false},
        {kTfLiteBufferAttrKeyPadding, 8, 3, true, 24, true},
        {kTfLiteBufferAttrKeyPadding, 2, 3, true, 6, false},
        {kTfLiteBufferAttrKeyOffset, 8, 8, true, 8, true},
        {kTfLiteBufferAttrKeyOffset, 8, 4, false, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Pair pair = make_pair(kTfLiteAttrMapTypeBuffer);
        size_t value = 0;
        TfLiteAttributeMapSetSizeTBufferAttr(pair.left, cases[i].key, cases[i].left);
        TfLiteAttributeMapSetSizeTBufferAttr(pair.right, cases[i].key, cases[i].right);
        assert_int_equal(lite_attributes_reconcile(pair.left, pair.right, pair.merged, pair.conflict),
                         cases[i].possible);
        assert_true(TfLiteAttributeMapIsBufferAttributeMap(pair.merged));
        assert_true(TfLiteAttributeMapIsBufferAttributeMap(pair.conflict));
        TfLiteAttributeMap* filled = cases[i].possible ? pair.merged : pair.conflict;
        assert_true(TfLiteAttributeMapGetSizeTBufferAttr(filled, cases[i].key, &value));
        assert_true(value == (cases[i].possible ? cases[i].merged : cases[i].right));
        assert_int_equal(lite_attributes_reconcile(pair.left, pair.right, pair.merged, NULL),
                         cases[i].possible);
        assert_int_equal(lite_attributes_cover(pair.left, pair.right, pair.conflict), cases[i].covered);
        assert_int_equal(lite_attributes_cover(pair.left, pair.right, NULL), cases[i].covered);
        assert_int_equal(TfLiteAttributeMapGetSizeTBufferAttr(pair.conflict, cases[i].key, &value),
                         !cases[i].covered || !cases[i].possible);
        delete_pair(pair);
    }
}

static void other_attributes_must_be_equal(void** state) {
    (void)state;
    char same[] = "type";
    Pair pair = make_pair(kTfLiteAttrMapTypeSync);
    const TfLiteSynchronizationAttrKey key = kTfLiteSynchronizationAttrKeyObjectTypeName;
    TfLiteAttributeMapSetStringSyncAttr(pair.left, key, "type");
    TfLiteAttributeMapSetStringSyncAttr(pair.right, key, same);
    TfLiteAttributeMapSetIntAttr(pair.left, 100, 5);
    TfLiteAttributeMapSetIntAttr(pair.right, 100, 5);
    TfLiteAttributeMapSetCustomBoolAttr(pair.left, "flag", true);
    TfLiteAttributeMapSetCustomBoolAttr(pair.right, "flag", true);
    // Keys that mean quantities of buffers mean nothing here.
    TfLiteAttributeMapSetSizeTAttr(pair.left, kTfLiteBufferAttrKeySize, 8);
    TfLiteAttributeMapSetSizeTAttr(pair.right, kTfLiteBufferAttrKeySize, 8);
    assert_true(lite_attributes_reconcile(pair.left, pair.right, pair.merged, pair.conflict));
    assert_true(lite_attributes_cover(pair.left, pair.right, pair.conflict));
    assert_int_equal(pair.conflict->count, 0);
    assert_int_equal(pair.merged->count, 4);

    TfLiteAttributeMapSetStringSyncAttr(pair.right, key, "other");
    TfLiteAttributeMapSetCustomBoolAttr(pair.right, "flag", false);
    TfLiteAttributeMapSetSizeTAttr(pair.right, 100, 5); // the type differs
    TfLiteAttributeMapSetSizeTAttr(pair.right, kTfLiteBufferAttrKeySize, 4);
    assert_false(lite_attributes_reconcile(pair.left, pair.right, pair.merged, pair.conflict));
    assert_int_equal(pair.conflict->count, 4);
    const char* text = NULL;
    assert_true(TfLiteAttributeMapGetStringSyncAttr(pair.conflict, key, &text));
    assert_string_equal(text, "other");
    assert_false(lite_attributes_cover(pair.left, pair.right, NULL));
    delete_pair(pair);
}

static void attributes_of_one_side(void** state) {
    (void)state;
    Pair pair = make_pair(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMapSetSizeTBufferAttr(pair.left, kTfLiteBufferAttrKeyAlignment, 4);
    TfLiteAttributeMapSetCustomIntAttr(pair.right, "right", 1);
    TfLiteAttributeMapSetIntAttr(pair.merged, 200, 1); // stays
    assert_true(lite_attributes_reconcile(pair.left, pair.right, pair.merged, NULL));
    assert_int_equal(pair.merged->count, 3);
    assert_false(lite_attributes_cover(pair.left, pair.right, pair.conflict));
    assert_int_equal(pair.conflict->count, 1);
    // The result may go into one of the maps.
    assert_true(lite_attributes_reconcile(pair.left, pair.right, pair.left, NULL));
    assert_int_equal(pair.left->count, 2);
    assert_true(lite_attributes_cover(pair.left, pair.right, NULL));
    assert_true(lite_attributes_reconcile(pair.left, pair.right, pair.right, NULL));
    assert_int_equal(pair.right->count, 2);
    delete_pair(pair);
}

static void strange_maps(void** state) {
    (void)state;
    Pair pair = make_pair(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* sync = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    assert_false(lite_attributes_reconcile(pair.left, sync, pair.merged, pair.conflict));
    assert_false(lite_attributes_cover(pair.left, sync, pair.conflict));
    // A size that is none, strings that are none.
    TfLiteAttributeMapSetSizeTBufferAttr(pair.left, kTfLiteBufferAttrKeySize, 4);
    TfLiteAttributeMapSetStringBufferAttr(pair.right, kTfLiteBufferAttrKeySize, "large");
    TfLiteAttributeMapSetStringBufferAttr(pair.left, kTfLiteBufferAttrKeyResourceTypeName, NULL);
    TfLiteAttributeMapSetStringBufferAttr(pair.right, kTfLiteBufferAttrKeyResourceTypeName, "text");
    assert_false(lite_attributes_reconcile(pair.left, pair.right, pair.merged, pair.conflict));
    assert_int_equal(pair.conflict->count, 2);
    assert_false(lite_attributes_cover(pair.left, pair.right, NULL));
    TfLiteAttributeMapDelete(sync);
    delete_pair(pair);
}

static void out_of_memory(void** state) {
    (void)state;
    lite_memory_fail_after(0);
    assert_null(TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer));
    assert_null(TfLiteBackendBufferCreate());
    assert_null(TfLiteSynchronizationCreate());
    lite_memory_fail_after(-1);
    Pair pair = make_pair(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMapSetCustomIntAttr(pair.left, "left", 1);
    TfLiteAttributeMapSetCustomIntAttr(pair.right, "right", 1);
    for (int allowed = 0; allowed < 2; allowed++) {
        lite_memory_fail_after(allowed);
        TfLiteAttributeMapSetCustomIntAttr(pair.merged, "key", 1);
        TfLiteAttributeMapCopy(pair.left, pair.right);
        assert_false(lite_attributes_reconcile(pair.left, pair.right, pair.merged, pair.conflict));
        lite_memory_fail_after(-1);
        int number;
        assert_false(TfLiteAttributeMapGetCustomIntAttr(pair.merged, "key", &number));
        assert_true(TfLiteAttributeMapGetCustomIntAttr(pair.right, "right", &number));
    }
    lite_memory_fail_after(0);
    assert_false(TfLiteAttributeMapSetSizeTBufferAttr(pair.conflict, kTfLiteBufferAttrKeySize, 1));
    lite_memory_fail_after(-1);
    delete_pair(pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_maps),
        cmocka_unit_test(attributes_of_buffers),
        cmocka_unit_test(attributes_of_syncs),
        cmocka_unit_test(attributes_of_any_map),
        cmocka_unit_test(attributes_by_name),
        cmocka_unit_test(nothing_is_an_error),
        cmocka_unit_test(copies),
        cmocka_unit_test(wrappers),
        cmocka_unit_test(quantities),
        cmocka_unit_test(other_attributes_must_be_equal),
        cmocka_unit_test(attributes_of_one_side),
        cmocka_unit_test(strange_maps),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
