// SPDX-License-Identifier: Apache-2.0
// Compiles the parts of a program on all processors. PoCL compiles one program at a time, however many
// threads ask for it, and keeps what it has compiled in a folder that the user's processes share. So other
// processes compile (oclite_opencl_selftest --compile), and this one finds what they did. What they fail at
// is compiled here, as if there were none.
#ifndef DELEGATE_OPENCL_SELFTEST_COMPILE_AHEAD_H_
#define DELEGATE_OPENCL_SELFTEST_COMPILE_AHEAD_H_

#include <stdint.h>

#include "delegate-opencl/device/program.h"

// On the child's standard input, a program each: this and as many bytes of options and of text, without an
// end. It answers each on its standard output, with a byte: LITE_CL_COMPILED or another one.
typedef struct LiteClCompileRequest {
    uint32_t options;
    uint32_t text;
} LiteClCompileRequest;

enum {
    LITE_CL_COMPILED = 'y',
    LITE_CL_MOST_OPTIONS = 4096,
    LITE_CL_MOST_TEXT = 1 << 24,
    LITE_CL_COMPILE_MS = 20000, // the time for one
    LITE_CL_FOUND_MS = 50,      // what takes no longer was in the folder already
    LITE_CL_COMPILERS = 3,      // processes at most
    LITE_CL_PARTS_EACH = 3,     // parts that earn the time that a process takes to start
};

// For LiteClProgramKey: with the device's mutex held.
void lite_cl_compile_ahead(LiteClDevice* device, LiteClProgram* const* parts, int count);

#endif
