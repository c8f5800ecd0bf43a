// SPDX-License-Identifier: Apache-2.0
// The texts of kernels-cl/, embedded at build time.
#ifndef DELEGATE_OPENCL_SOURCES_H_
#define DELEGATE_OPENCL_SOURCES_H_

typedef struct LiteClSource {
    const char* name; // file name without its ending
    const char* text;
} LiteClSource;

// Ends with a NULL name.
extern const LiteClSource lite_cl_sources[];

#endif
