// SPDX-License-Identifier: Apache-2.0
#include "tests/support/flat_writer.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/edit/tree_write.h"

static void print(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

uint8_t* flat_finish(LiteTree* tree, const char* identifier, size_t* size) {
    const LiteReporter reporter = {print, NULL};
    uint8_t* written;
    if (lite_tree_finish(tree, identifier, &reporter, &written, size) != kTfLiteOk) exit(1);
    uint8_t* data = malloc(*size); // tests count the allocations of the library
    if (data == NULL) exit(1);
    memcpy(data, written, *size);
    lite_free(written);
    lite_tree_delete(tree);
    return data;
}
