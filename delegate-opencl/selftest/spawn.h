// SPDX-License-Identifier: Apache-2.0
// Starts and ends processes.
#ifndef DELEGATE_OPENCL_SELFTEST_SPAWN_H_
#define DELEGATE_OPENCL_SELFTEST_SPAWN_H_

#include <stdbool.h>
#include <sys/types.h>

// Only `input` (-1: nothing) and `output` are open in the child, no signal is blocked or ignored there, and
// it has a process group of its own, so that the compilers that drivers start end with it. `arguments` as
// execve wants them. Returns an errno number.
int lite_cl_spawn(const char* program, char* const* arguments, int input, int output, pid_t* pid);

// Ends a child that nobody has waited for, with its group. *code: the status of wait. False where the host
// has taken it, as some do with all their children.
bool lite_cl_kill(pid_t pid, int* code);

#endif
