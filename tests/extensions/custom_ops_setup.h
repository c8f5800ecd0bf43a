// SPDX-License-Identifier: Apache-2.0
// The operators of custom_ops for tests, on the CPU or, when the program was called with the folder of their
// .cl files, on OpenCL.
#ifndef TESTS_EXTENSIONS_CUSTOM_OPS_SETUP_H_
#define TESTS_EXTENSIONS_CUSTOM_OPS_SETUP_H_

#include "tensorflow/lite/c/c_api.h"

// Call it first, with the program's arguments. Returns 0, or the status with which the program is to end: 77
// where there is no device.
int custom_ops_open(int argc, char** argv);
// Adds the operators, and the delegate if there is one.
TfLiteStatus custom_ops_setup(TfLiteInterpreterOptions* options);
// Call it last, with the operators of which the delegate must have taken a node; NULL ends them. Returns how
// many it has not taken.
int custom_ops_close(const char* const* names);

#endif
