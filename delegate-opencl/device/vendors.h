// SPDX-License-Identifier: Apache-2.0
// Has the ICD loader do without the drivers that are left out (left_out.h). It would open them in the host's
// process, and it takes its drivers from a folder: so it is shown another one while it looks.
#ifndef DELEGATE_OPENCL_DEVICE_VENDORS_H_
#define DELEGATE_OPENCL_DEVICE_VENDORS_H_

#include "core/base/status.h"

// Calls `look`, which makes the loader look for its drivers, without those that are left out. In the
// environment, OCL_ICD_VENDORS and OCL_ICD_FILENAMES say where the others are meanwhile. An error, after a
// report, where there is no folder to be made for that; then `look` has not been called.
TfLiteStatus lite_cl_look_for_vendors(void (*look)(void* user_data), void* user_data,
                                      const LiteReporter* reporter);

#endif
