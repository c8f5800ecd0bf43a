// SPDX-License-Identifier: Apache-2.0
// What the delegate's self-test has found of a device's driver, as facts (tools/common/facts.h).
#ifndef TOOLS_DEVICES_SELFTEST_H_
#define TOOLS_DEVICES_SELFTEST_H_

#include <stdbool.h>

#include "oclite/opencl.h"
#include "tools/common/facts.h"

// With `all` everything is tried that has not been tried.
void devices_add_selftest(const TfLiteDelegate* delegate, bool all, cJSON* facts);

#endif
