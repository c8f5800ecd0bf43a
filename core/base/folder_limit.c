// SPDX-License-Identifier: Apache-2.0
#include "core/base/folder_limit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"

enum { kMaxName = 63 };

typedef struct Entry {
    struct timespec changed;
    size_t size;
    char name[kMaxName + 1];
} Entry;

typedef struct Entries {
    Entry* all;
    size_t count;
    size_t room;
    size_t bytes;
} Entries;

static bool are_digits(const char* text, size_t count) {
    return strspn(text, "0123456789abcdef") >= count;
}

// One that a process wrote, or that it left when it ended before it had written all.
static bool is_named_so(const char* name, size_t digits, const char* ending) {
    const size_t length = strlen(ending);
    if (strlen(name) > kMaxName || !are_digits(name, digits)) return false;
    const char* rest = name + digits;
    if (strncmp(rest, ending, length) != 0) return false;
    rest += length;
    return *rest == '\0' || (*rest == '.' && rest[1] != '\0' && are_digits(rest + 1, strlen(rest + 1)));
}

// False when out of memory.
static bool add(Entries* entries, const char* name, const struct stat* info) {
    if (entries->count == entries->room) {
        const size_t room = 2 * entries->room + 64;
        Entry* all = lite_realloc(entries->all, room * sizeof *all);
        if (all == NULL) return false;
        entries->all = all;
        entries->room = room;
    }
    Entry* entry = &entries->all[entries->count++];
    entry->changed = info->st_mtim;
    entry->size = (size_t)info->st_size;
    strcpy(entry->name, name);
    entries->bytes += entry->size;
    return true;
}

static void list(int folder, size_t digits, const char* ending, Entries* entries) {
    // A descriptor of its own: the position in a folder belongs to the open file.
    const int opened = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* names = opened < 0 ? NULL : fdopendir(opened);
    if (names == NULL) {
        if (opened >= 0) close(opened);
        return;
    }
    for (const struct dirent* entry = readdir(names); entry != NULL; entry = readdir(names)) {
        struct stat info;
        if (!is_named_so(entry->d_name, digits, ending)) continue;
        if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
            continue;
        if (!add(entries, entry->d_name, &info)) break;
    }
    closedir(names);
}

static int by_time(const void* a, const void* b) {
    const struct timespec x = ((const Entry*)a)->changed, y = ((const Entry*)b)->changed;
    if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

size_t lite_folder_limit(int folder, size_t digits, const char* ending, size_t most) {
    Entries entries = {0};
    list(folder, digits, ending, &entries);
    if (entries.bytes > most) qsort(entries.all, entries.count, sizeof *entries.all, by_time);
    for (size_t i = 0; i < entries.count && entries.bytes > most; i++) {
        if (unlinkat(folder, entries.all[i].name, 0) == 0) entries.bytes -= entries.all[i].size;
    }
    lite_free(entries.all);
    return entries.bytes;
}
