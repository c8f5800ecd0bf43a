// SPDX-License-Identifier: Apache-2.0
// Built programs, and what was measured, in a folder of files, so that the next process need not compile: one
// file per program, named by a hash of its key, which is in the file as well, whole. What cannot be read is
// compiled, and what cannot be written is not kept: neither is an error.
#ifndef DELEGATE_OPENCL_PROGRAM_CACHE_H_
#define DELEGATE_OPENCL_PROGRAM_CACHE_H_

#include "delegate-opencl/device.h"

// What a binary depends on: device, driver and our version, the compiler's options, all texts. Owned; NULL
// when out of memory.
char* lite_cl_cache_key(const LiteClDevice* device, const char* options, const char* const* parts,
                        size_t count);

// The program of that key, built; NULL when there is none that fits.
cl_program lite_cl_cache_load(const LiteClDevice* device, const char* key, const char* options);

// What else is kept in the same way: so many bytes of a key of their own; false when there are none.
bool lite_cl_cache_read(const LiteClDevice* device, const char* key, void* bytes, size_t size);
void lite_cl_cache_write(const LiteClDevice* device, const char* key, const void* bytes, size_t size);

// Keeps a built program.
void lite_cl_cache_store(const LiteClDevice* device, const char* key, cl_program program);

#endif
