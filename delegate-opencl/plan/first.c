// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/first.h"

#include "core/base/memory.h"

static bool is_same(const LiteClFirst* first, const LiteClFirst* now) {
    return first->owner == now->owner && first->part == now->part && first->bytes == now->bytes &&
           (first->rows == 1) == (now->rows == 1);
}

const LiteClFirst* lite_cl_plan_first(LiteClPlan* plan, const LiteClFirst* now) {
    for (const LiteClFirst* first = plan->first; first != NULL; first = first->next) {
        if (is_same(first, now)) return first;
    }
    LiteClFirst* first = lite_malloc(sizeof *first);
    if (first == NULL) {
        lite_report(plan->reporter, "OpenCL: out of memory");
        return NULL;
    }
    *first = *now;
    first->tile = lite_cl_tile(plan->device->class, now->bytes, now->rows, now->columns);
    first->next = plan->first;
    plan->first = first;
    return first;
}

void lite_cl_plan_forget_first(LiteClPlan* plan) {
    while (plan->first != NULL) {
        LiteClFirst* first = plan->first;
        plan->first = first->next;
        lite_free(first);
    }
}

int lite_cl_plan_row_vector(LiteClPlan* plan, const void* owner, int length) {
    // As of several rows, however many there are.
    const LiteClFirst* first =
        lite_cl_plan_first(plan, &(LiteClFirst){.owner = owner, .rows = 2, .columns = length});
    if (first == NULL) return 0;
    const int whole = lite_cl_tune(plan->device->class)->vector;
    return first->columns == length ? lite_cl_vector(plan->device->class, length) : whole;
}
