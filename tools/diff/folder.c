// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ToolStatus diff_folder_make(char* path, size_t room, ToolMessage* message) {
    const char* parent = getenv("TMPDIR");
    const int length = snprintf(path, room, "%s/oclite-diff-XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (length > 0 && (size_t)length < room && mkdtemp(path)) return kToolOk;
    const int error = errno;
    path[0] = '\0';
    return tool_fail(message, kToolFile, "no temporary folder: %s", strerror(error));
}

void diff_folder_remove(const char* path) {
    DIR* folder = path[0] ? opendir(path) : NULL;
    if (!folder) return;
    for (const struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
        unlinkat(dirfd(folder), entry->d_name, 0); // fails for "." and ".."
    }
    closedir(folder);
    rmdir(path);
}
