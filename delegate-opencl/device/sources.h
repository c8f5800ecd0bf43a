// SPDX-License-Identifier: Apache-2.0
// The texts of kernels-cl/, embedded at build time.
#ifndef DELEGATE_OPENCL_DEVICE_SOURCES_H_
#define DELEGATE_OPENCL_DEVICE_SOURCES_H_

typedef struct LiteClSourcePart {
    const char* name; // file name
    const char* text; // without its #include lines
} LiteClSourcePart;

// A program: what it includes, each file once and in order, then the file itself. Ends with a NULL name.
typedef struct LiteClSource {
    const char* name; // file name without its ending
    const LiteClSourcePart* parts;
} LiteClSource;

// lite_cl_source_<name> for each kernels-cl/<name>.cl; CMake writes the list.
#include "kernels-cl/sources.h"

#endif
