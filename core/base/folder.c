// SPDX-License-Identifier: Apache-2.0
#include "core/base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/system.h"

enum { kAttempts = 16 };

// Pages in one go, rather than one by one when they are first read.
#ifdef MAP_POPULATE
#define POPULATE MAP_POPULATE
#else
#define POPULATE 0
#endif

static bool is_ours(const struct stat* info) {
    return info->st_uid == geteuid() || info->st_uid == 0;
}

static bool others_write(const struct stat* info) {
    return (info->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

// Makes a folder and those that it is in. What matters is whether the last one can be opened afterwards.
static void make(const char* path) {
    char* part = lite_strdup(path);
    if (part == NULL) return;
    for (char* slash = strchr(part + (part[0] == '/'), '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(part, 0700);
        *slash = '/';
    }
    (void)mkdir(part, 0700);
    lite_free(part);
}

static bool is_trusted(int folder, char* why, size_t size) {
    struct stat info;
    if (fstat(folder, &info) != 0) {
        snprintf(why, size, "%s", strerror(errno));
    } else if (!is_ours(&info)) {
        snprintf(why, size, "belongs to user %lu, and not to user %lu, who runs the process, or root",
                 (unsigned long)info.st_uid, (unsigned long)geteuid());
    } else if (others_write(&info)) {
        snprintf(why, size,
                 "others may write to it (mode %04o), and so decide what runs; chmod go-w forbids that",
                 (unsigned)(info.st_mode & 07777));
    } else {
        return true;
    }
    return false;
}

int lite_folder_open(const char* path, char* why, size_t size) {
    make(path);
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        snprintf(why, size, "%s", strerror(errno));
        return -1;
    }
    if (is_trusted(folder, why, size)) return folder;
    close(folder);
    return -1;
}

// Opens a file that is ours. An errno number on failure.
static int open_ours(int folder, const char* name, int* file, size_t* size) {
    struct stat info;
    // Without O_NONBLOCK opening a pipe would wait for a writer.
    *file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (*file < 0) return errno;
    int error = 0;
    if (fstat(*file, &info) != 0) {
        error = errno;
    } else if (!S_ISREG(info.st_mode)) {
        error = EINVAL;
    } else if (!is_ours(&info) || others_write(&info)) {
        error = EPERM;
    } else if ((uintmax_t)info.st_size > SIZE_MAX) {
        error = EFBIG;
    }
    if (error == 0) {
        *size = (size_t)info.st_size;
    } else {
        close(*file);
    }
    return error;
}

static int read_all(int file, char* data, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t count = read(file, data + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : EIO; // it has become shorter
        done += (size_t)count;
    }
    return 0;
}

int lite_folder_read(int folder, const char* name, LiteContents* contents) {
    int file;
    size_t size = 0;
    *contents = (LiteContents){0};
    int error = open_ours(folder, name, &file, &size);
    if (error != 0) return error;
    char* data = size > 0 ? lite_malloc(size) : NULL;
    if (data != NULL) {
        error = read_all(file, data, size);
    } else {
        error = size > 0 ? ENOMEM : 0;
    }
    close(file);
    if (error == 0) {
        *contents = (LiteContents){data, size, false};
    } else {
        lite_free(data);
    }
    return error;
}

int lite_folder_map(int folder, const char* name, LiteContents* contents) {
    int file;
    size_t size = 0;
    *contents = (LiteContents){0};
    int error = open_ours(folder, name, &file, &size);
    if (error != 0) return error;
    void* data = size > 0 ? mmap(NULL, size, PROT_READ, MAP_SHARED | POPULATE, file, 0) : NULL;
    if (data == MAP_FAILED) error = errno;
    close(file);
    if (error == 0) *contents = (LiteContents){data, size, data != NULL};
    return error;
}

void lite_contents_free(LiteContents* contents) {
    if (contents->is_mapped) {
        munmap((void*)contents->data, contents->size);
    } else {
        lite_free((void*)contents->data);
    }
    *contents = (LiteContents){0};
}

void lite_folder_touch(int folder, const char* name) {
    (void)utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW);
}

static int write_all(int file, const LiteBytes* bytes) {
    for (size_t done = 0; done < bytes->size;) {
        const ssize_t count = write(file, (const char*)bytes->data + done, bytes->size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : EIO;
        done += (size_t)count;
    }
    return 0;
}

// Creates a file of a new name that begins with `name`. Returns its descriptor, or -1.
static int create(int folder, const char* name, char* other, size_t size) {
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < kAttempts && file < 0 && errno == EEXIST; i++) {
        snprintf(other, size, "%s.%016llx", name, (unsigned long long)lite_entropy());
        file = openat(folder, other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    return file;
}

int lite_folder_write(int folder, const char* name, const LiteBytes* parts, size_t count) {
    const size_t size = strlen(name) + sizeof ".0123456789abcdef";
    char* other = lite_malloc(size);
    if (other == NULL) return ENOMEM;
    const int file = create(folder, name, other, size);
    int error = file < 0 ? errno : 0;
    for (size_t i = 0; i < count && error == 0; i++) error = write_all(file, &parts[i]);
    if (file >= 0 && close(file) != 0 && error == 0) error = errno;
    if (error == 0 && renameat(folder, other, folder, name) != 0) error = errno;
    if (error != 0 && file >= 0) unlinkat(folder, other, 0);
    lite_free(other);
    return error;
}
