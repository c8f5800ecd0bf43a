// SPDX-License-Identifier: Apache-2.0
#include "core/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"

uint64_t lite_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

size_t lite_read_memory_limit(const char* path) {
    char text[32];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return SIZE_MAX;
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0 || text[0] < '0' || text[0] > '9') return SIZE_MAX; // also "max"
    text[length] = '\0';
    const unsigned long long bytes = strtoull(text, NULL, 10);
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

size_t lite_physical_memory(void) {
    // In a container these are its own; one that takes more than they say is killed.
    static const char* const groups[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    const bool known = pages > 0 && page_bytes > 0 && (size_t)pages <= SIZE_MAX / (size_t)page_bytes;
    size_t bytes = known ? (size_t)pages * (size_t)page_bytes : SIZE_MAX;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const size_t limit = lite_read_memory_limit(groups[i]);
        if (limit < bytes) bytes = limit;
    }
    return bytes;
}

int lite_read_processor_limit(const char* path) {
    char text[64], *end;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return INT_MAX;
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    // "QUOTA PERIOD" in microseconds, or "max PERIOD".
    const long quota = strtol(text, &end, 10), period = strtol(end, NULL, 10);
    if (quota <= 0 || period <= 0 || quota / period >= INT_MAX) return INT_MAX;
    return (int)(quota / period + (quota % period > 0));
}

uint64_t lite_entropy(void) {
    // Without the device the number is made of what differs from call to call and from process to process.
    uint64_t number = lite_clock_ns() * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)getpid();
    uint64_t drawn;
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return number;
    if (read(fd, &drawn, sizeof drawn) == (ssize_t)sizeof drawn) number ^= drawn;
    close(fd);
    return number;
}

// Maps the open file into *mapping, whose fd is set; an errno number on failure.
static int map_open_file(LiteMapping* mapping) {
    struct stat info;
    if (fstat(mapping->fd, &info) != 0) return errno;
    if (S_ISDIR(info.st_mode)) return EISDIR;
    if (!S_ISREG(info.st_mode)) return EINVAL;
    if ((uintmax_t)info.st_size > SIZE_MAX) return EFBIG;
    mapping->size = (size_t)info.st_size;
    if (mapping->size == 0) return 0;
    void* data = mmap(NULL, mapping->size, PROT_READ, MAP_SHARED, mapping->fd, 0);
    if (data == MAP_FAILED) return errno;
    mapping->data = data;
    return 0;
}

int lite_map_file(const char* path, LiteMapping* mapping) {
    *mapping = (LiteMapping){.fd = -1};
    // Without O_NONBLOCK opening a pipe would wait for a writer.
    mapping->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (mapping->fd < 0) return errno;
    const int error = map_open_file(mapping);
    if (error != 0) lite_unmap_file(mapping);
    return error;
}

void lite_unmap_file(LiteMapping* mapping) {
    if (mapping->data != NULL) munmap((void*)mapping->data, mapping->size);
    if (mapping->fd >= 0) close(mapping->fd);
    *mapping = (LiteMapping){.fd = -1};
}

void lite_leave_mapped(const LiteMapping* mapping, const void* bytes, size_t count) {
#ifdef MADV_DONTNEED
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)mapping->data;
    const uintptr_t first = (uintptr_t)bytes, end = begin + mapping->size;
    if (mapping->data == NULL || first < begin || first >= end || count > end - first) return;
    const uintptr_t from = (first + page - 1) / page * page, to = (first + count) / page * page;
    if (from < to) (void)madvise((void*)from, to - from, MADV_DONTNEED);
#else
    (void)mapping, (void)bytes, (void)count;
#endif
}
