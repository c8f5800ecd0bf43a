// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// All that end a process and can be caught; faults and abort() of a driver are among them.
static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGPIPE, SIGALRM,
                              SIGUSR1, SIGUSR2, SIGXCPU,   SIGXFSZ, SIGPROF, SIGSEGV,
                              SIGABRT, SIGBUS,  SIGVTALRM, SIGFPE,  SIGILL,  SIGSYS};
enum { kPasses = 8 };       // another thread, or LiteRT, may still write
static const char* watched; // the folder
static pid_t owner;         // a child that was forked has the handlers, too, until it becomes another program

// The kernel's entries of a folder, which readdir makes dirent of.
typedef struct Entry {
    uint64_t inode;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
} Entry;

// Also called by the handler: makes only calls that are allowed there, which opendir is not.
void diff_folder_remove(const char* path) {
    const int folder = path[0] ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (folder < 0) return;
    alignas(Entry) char entries[4096];
    for (int pass = 0; pass < kPasses && rmdir(path) != 0; pass++) {
        long length;
        lseek(folder, 0, SEEK_SET);
        while ((length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
            for (long at = 0; at < length;) {
                const Entry* entry = (const Entry*)(const void*)(entries + at);
                unlinkat(folder, entry->name, 0); // fails for "." and ".."
                at += entry->size;
            }
        }
    }
    close(folder);
}

static void remove_and_end(int number) {
    if (getpid() == owner) diff_folder_remove(watched);
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_signals(const char* path) {
    struct sigaction action = {.sa_handler = remove_and_end};
    watched = path;
    owner = getpid();
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        const bool ignored = sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (!ignored) sigaction(signals[i], &action, NULL);
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
