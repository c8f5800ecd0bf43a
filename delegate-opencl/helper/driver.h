// SPDX-License-Identifier: Apache-2.0
// Opens a driver and asks for its devices, as the ICD loader does.
#ifndef DELEGATE_OPENCL_HELPER_DRIVER_H_
#define DELEGATE_OPENCL_HELPER_DRIVER_H_

#include "delegate-opencl/selftest/verdicts.h"

void driver_try(const char* library, LiteClVerdict* verdict);

#endif
