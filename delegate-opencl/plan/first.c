// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/first.h"

#include "core/base/memory.h"

static bool is_same(const LiteClFirst* first, const LiteClFirst* now) {
    return first->owner == now->owner && first->part == now->part && first->bytes == now->bytes &&
           (first->rows == 1) == (now->rows == 1);
}

const LiteClFirst* lite_cl_first_find(LiteClFirst** list, LiteClClass class, const LiteClFirst* now,
                                      const LiteReporter* reporter) {
    for (const LiteClFirst* first = *list; first != NULL; first = first->next) {
        if (is_same(first, now)) return first;
    }
    LiteClFirst* first = lite_malloc(sizeof *first);
    if (first == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    *first = *now;
    first->tile = lite_cl_tile(class, now->bytes, now->rows, now->columns);
    first->next = *list;
    *list = first;
    return first;
}

void lite_cl_first_free(LiteClFirst** list) {
    while (*list != NULL) {
        LiteClFirst* first = *list;
        *list = first->next;
        lite_free(first);
    }
}
