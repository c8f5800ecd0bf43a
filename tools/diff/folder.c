// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A thread waits for the signals, because a signal handler may not remove files.
static void* remove_at_signal(void* path) {
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (sigwait(&set, &number) != 0) return NULL;
    diff_folder_remove(path);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    return NULL;
}

// Threads that are made later do not get the signals either.
static void watch_signals(char* path) {
    sigset_t set;
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0) return;
    if (pthread_create(&thread, NULL, remove_at_signal, path) == 0) {
        pthread_detach(thread);
    } else {
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
}

ToolStatus diff_folder_make(char* path, size_t room, ToolMessage* message) {
    const char* parent = getenv("TMPDIR");
    const int length =
        snprintf(path, room, "%s/oclite-diff-XXXXXX", parent != NULL && parent[0] ? parent : "/tmp");
    if (length > 0 && (size_t)length < room && mkdtemp(path) != NULL) {
        watch_signals(path);
        return kToolOk;
    }
    const int error = errno;
    path[0] = '\0';
    return tool_fail(message, kToolFile, "no temporary folder: %s", strerror(error));
}

void diff_folder_remove(const char* path) {
    DIR* folder = path[0] ? opendir(path) : NULL;
    if (folder == NULL) return;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        unlinkat(dirfd(folder), entry->d_name, 0); // fails for "." and ".."
    }
    closedir(folder);
    rmdir(path);
}
