// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/product.h"

#include "core/base/memory.h"

TfLiteStatus lite_cl_plan_product(LiteClPlan* plan, const LiteClProduct* product, const int storages[3]) {
    const char* name = lite_cl_product_name(product);
    size_t bytes;
    for (int i = 0; i < 3; i++) {
        if (storages[i] < 0) return kTfLiteError;
    }
    LITE_TRY(lite_cl_check(plan->reporter, name, lite_cl_product_scratch(product, plan->queue, &bytes)));
    const int scratch = bytes > 0 ? lite_cl_plan_add_storage(plan, kLiteClArena, bytes) : -1;
    if (bytes > 0 && scratch < 0) return kTfLiteError;
    LiteClStep* step = lite_cl_plan_next_step(plan);
    LiteClProductCall* own = lite_calloc(1, sizeof *own);
    if (step == NULL || own == NULL) {
        lite_free(own);
        return lite_report(plan->reporter, "OpenCL: out of memory");
    }
    own->product = *product;
    *step = (LiteClStep){
        .product = own, .name = name, .global = {product->columns, product->rows, product->count}};
    TfLiteStatus status = kTfLiteOk;
    for (int i = 0; i < 3 && status == kTfLiteOk; i++)
        status = lite_cl_plan_add_buffer(plan, step, storages[i], i);
    if (status == kTfLiteOk && scratch >= 0)
        status = lite_cl_plan_add_buffer(plan, step, scratch, kLiteClProductScratch);
    plan->step_count++;
    return status;
}
