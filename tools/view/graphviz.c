// SPDX-License-Identifier: Apache-2.0
#include "tools/view/graphviz.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/timing.h"

static bool append(ToolBytes* bytes, const char* data, size_t size) {
    char* larger = realloc(bytes->data, bytes->size + size + 1);
    if (larger == NULL) return false;
    memcpy(larger + bytes->size, data, size);
    bytes->data = larger;
    bytes->size += size;
    bytes->data[bytes->size] = '\0';
    return true;
}

// Returns 0 at the end of the output, ETIME when that does not come in time, or another errno.
static int read_output(int from, double end, ToolBytes* output) {
    char buffer[1 << 16];
    for (;;) {
        const double left = end - tool_now();
        struct pollfd wait = {.fd = from, .events = POLLIN};
        if (left <= 0) return ETIME;
        const int ready = poll(&wait, 1, left < 1 ? (int)(left * 1e3) + 1 : 1000);
        if (ready < 0 && errno != EINTR) return errno;
        if (ready <= 0) continue;
        const ssize_t size = read(from, buffer, sizeof(buffer));
        if (size == 0) return 0;
        if (size < 0 && errno != EINTR) return errno;
        if (size > 0 && !append(output, buffer, (size_t)size)) return ENOMEM;
    }
}

// Returns an errno, 0 for success.
static int start(int input, int output, pid_t* child) {
    char* arguments[] = {"dot", "-Tplain", NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawnp(child, "dot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

ToolStatus view_graphviz_run(FILE* input, double seconds, ToolBytes* output, bool* has_dot,
                             ToolMessage* message) {
    int pipe_ends[2];
    pid_t child = 0;
    *output = (ToolBytes){0};
    if (!append(output, "", 0)) return tool_out_of_memory(message);
    if (fflush(input) != 0 || lseek(fileno(input), 0, SEEK_SET) != 0 || pipe2(pipe_ends, O_CLOEXEC) != 0) {
        return tool_fail(message, kToolFile, "dot: %s", strerror(errno));
    }
    int error = start(fileno(input), pipe_ends[1], &child);
    close(pipe_ends[1]);
    if (error) {
        close(pipe_ends[0]);
        *has_dot = error != ENOENT;
        return *has_dot ? tool_fail(message, kToolFile, "dot: %s", strerror(error)) : kToolOk;
    }
    error = read_output(pipe_ends[0], tool_now() + seconds, output);
    if (error) kill(child, SIGKILL);
    close(pipe_ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (error == ETIME) return kToolOk;
    if (error) return tool_fail(message, kToolFile, "dot: %s", strerror(error));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return tool_fail(message, kToolFile, "Graphviz's dot could not be started");
    }
    return kToolOk;
}
