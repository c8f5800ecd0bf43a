// SPDX-License-Identifier: Apache-2.0
// Products in a plan that CLBlast computes.
#ifndef DELEGATE_OPENCL_PLAN_PRODUCT_H_
#define DELEGATE_OPENCL_PLAN_PRODUCT_H_

#include "delegate-opencl/plan/plan.h"

// Adds a product of matrices in these storages: operands and result.
TfLiteStatus lite_cl_plan_product(LiteClPlan* plan, const LiteClProduct* product, const int storages[3]);

#endif
