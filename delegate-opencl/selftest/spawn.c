// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_UNUSED = 3 };

static int set_up(posix_spawn_file_actions_t* actions, posix_spawnattr_t* attributes, int input, int output) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = input < 0 ? posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0)
                          : posix_spawn_file_actions_adddup2(actions, input, 0);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (error == 0) error = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, FIRST_UNUSED);
#endif
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (error == 0) error = posix_spawnattr_setpgroup(attributes, 0);
    if (error == 0)
        error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                         POSIX_SPAWN_SETPGROUP);
    return error;
}

int lite_cl_spawn(const char* program, char* const* arguments, int input, int output, pid_t* pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_up(&actions, &attributes, input, output);
        if (error == 0) error = posix_spawn(pid, program, &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool lite_cl_kill(pid_t pid, int* code) {
    pid_t waited;
    (void)kill(-pid, SIGKILL);
    (void)kill(pid, SIGKILL);
    while ((waited = waitpid(pid, code, 0)) < 0 && errno == EINTR) {}
    return waited == pid;
}
