// SPDX-License-Identifier: Apache-2.0
// Compiles programs that the standard input brings (selftest/compile_ahead.h), for the folder in which the
// driver keeps them.
#ifndef DELEGATE_OPENCL_HELPER_COMPILE_H_
#define DELEGATE_OPENCL_HELPER_COMPILE_H_

#include "oclite/opencl.h"

// Until there are no more of them. `answers`: a file descriptor. Returns what the process is to exit with.
int compile_all(TfLiteDelegate* delegate, int answers);

#endif
