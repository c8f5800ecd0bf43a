// SPDX-License-Identifier: Apache-2.0
// What differs between operating systems: clock, mapped files, shared libraries.
#ifndef CORE_BASE_SYSTEM_H_
#define CORE_BASE_SYSTEM_H_

#include <stddef.h>
#include <stdint.h>

// Monotonic time in nanoseconds.
uint64_t lite_clock_ns(void);

// Bytes of memory that the machine has, or the container; SIZE_MAX when that is not known.
size_t lite_physical_memory(void);

// The number of bytes in a file like memory.max of a control group; SIZE_MAX where there is none.
size_t lite_read_memory_limit(const char* path);

// How many processors the process may keep busy by a file like cpu.max of a control group, at least 1;
// INT_MAX where there is none, or no limit.
int lite_read_processor_limit(const char* path);

// A number that nobody can foretell, for generators without a seed. Not for secrets.
uint64_t lite_entropy(void);

typedef struct LiteMapping {
    const void* data; // NULL for an empty file
    size_t size;
    int fd;
} LiteMapping;

// Maps the whole file read-only. On failure the return value is an errno number and *mapping is zero with fd
// -1.
int lite_map_file(const char* path, LiteMapping* mapping);
void lite_unmap_file(LiteMapping* mapping); // accepts a zeroed mapping with fd -1
// These bytes will hardly be read again: as far as they lie in the mapping, they leave the process's memory.
// Who does read them gets them from the file as before.
void lite_leave_mapped(const LiteMapping* mapping, const void* bytes, size_t count);

#endif
