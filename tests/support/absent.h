// SPDX-License-Identifier: Apache-2.0
// A path that nothing has, whatever there is on this machine.
#ifndef TESTS_SUPPORT_ABSENT_H_
#define TESTS_SUPPORT_ABSENT_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

// Of a folder that was made for this and is gone again. The text lives until the next call.
static inline const char* absent_path(void) {
    static char folder[64], path[96];
    snprintf(folder, sizeof folder, "/tmp/oclite-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(rmdir(folder), 0);
    snprintf(path, sizeof path, "%s/absent", folder);
    return path;
}

#endif
