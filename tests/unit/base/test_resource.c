// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/base/resource.h"

static int destroyed;

static void destroy(void* object) {
    destroyed++;
    lite_free(object);
}

static void resources_are_found_again(void** state) {
    (void)state;
    LiteResources all = {0};
    assert_null(lite_resource_find(&all, kLiteResourceTable, 3));
    LiteResource* table = lite_resource_get(&all, kLiteResourceTable, 3);
    assert_non_null(table);
    assert_null(table->object);
    table->object = lite_malloc(8);
    table->destroy = destroy;
    assert_ptr_equal(lite_resource_get(&all, kLiteResourceTable, 3), table);
    assert_ptr_equal(lite_resource_find(&all, kLiteResourceTable, 3), table);
    assert_null(lite_resource_find(&all, kLiteResourceVariable, 3)); // kinds have numbers of their own
    lite_resources_destroy(&all);
    assert_int_equal(destroyed, 1);
    assert_null(all.first);
}

static void names_have_two_parts(void** state) {
    (void)state;
    LiteResources all = {0};
    LiteResource* a = lite_resource_get_named(&all, kLiteResourceVariable, "ab", "c");
    LiteResource* b = lite_resource_get_named(&all, kLiteResourceVariable, "a", "bc");
    LiteResource* c = lite_resource_get_named(&all, kLiteResourceVariable, "", "");
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(b, c);
    assert_int_not_equal(a->id, b->id);
    assert_ptr_equal(lite_resource_get_named(&all, kLiteResourceVariable, "ab", "c"), a);
    assert_ptr_equal(lite_resource_find(&all, kLiteResourceVariable, b->id), b);
    lite_resources_destroy(&all);
}

static void running_out_of_memory_leaves_what_was(void** state) {
    (void)state;
    LiteResources all = {0};
    for (int point = 0; point < 2; point++) {
        lite_memory_fail_after(point);
        assert_null(lite_resource_get_named(&all, kLiteResourceVariable, "a", "b"));
        lite_memory_fail_after(-1);
    }
    assert_non_null(lite_resource_get_named(&all, kLiteResourceVariable, "a", "b"));
    lite_resources_destroy(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resources_are_found_again),
        cmocka_unit_test(names_have_two_parts),
        cmocka_unit_test(running_out_of_memory_leaves_what_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
