// SPDX-License-Identifier: Apache-2.0
// Where the program is that tries drivers: oclite_opencl_selftest.
#ifndef DELEGATE_OPENCL_SELFTEST_PROGRAM_H_
#define DELEGATE_OPENCL_SELFTEST_PROGRAM_H_

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "delegate-opencl/device/left_out.h" // LITE_CL_HAS_SELFTEST
#include "delegate-opencl/selftest/identity.h"

// Names the program in place of those below, but not to processes with rights of others (setuid).
#define LITE_CL_SELFTEST_PROGRAM "OCLITE_OPENCL_SELFTEST_PROGRAM"

// Finds the program beside the file that contains this code, or where the installation has it, counted from
// there. PATH and the current folder count for nothing. False: there is none that may be run.
bool lite_cl_selftest_program(char path[PATH_MAX]);

// The library may lie where others can put files beside it (a copy in /tmp): the program has to belong to
// root, the user or the library's owner, and nobody may write to it who may not write to the library.
bool lite_cl_selftest_may_run(const struct stat* program, const struct stat* library);

// What the program is called with to find a device: as execve wants it, with room for some more.
enum { LITE_CL_PROGRAM_ARGUMENTS = 12 + 2 * LITE_CL_MOST_LEFT_OUT };
typedef struct LiteClProgramArguments {
    char program[PATH_MAX];
    char device[16];
    char hash[LITE_CL_HASH];
    char* all[LITE_CL_PROGRAM_ARGUMENTS]; // parts of this struct, and others that stay
    int count;
} LiteClProgramArguments;

// `number` is that of the device (open.h), `hash` its identity's. False: there is no program.
bool lite_cl_selftest_arguments(int number, const char* hash, LiteClProgramArguments* arguments);

#endif
