// SPDX-License-Identifier: Apache-2.0
// A folder of files that keeps built programs and results of measurements, so that the next process need not
// compile. Each file is named by a hash of its key, and also holds the whole key. It is no error when a file
// cannot be read (the program is compiled) or written (it is not kept). Binaries are run, so the files of
// others are not read (core/base/folder.h); the digest guards against damage only.
#ifndef DELEGATE_OPENCL_DEVICE_PROGRAM_CACHE_H_
#define DELEGATE_OPENCL_DEVICE_PROGRAM_CACHE_H_

#include "delegate-opencl/device/device.h"

// The key of a binary: device, driver, our version, the compiler's options and all texts. Owned by the
// caller; NULL when out of memory.
char* lite_cl_cache_key(const LiteClDevice* device, const char* options, const char* const* parts,
                        size_t count);

// Loads and builds the program with that key; NULL when there is none that fits.
cl_program lite_cl_cache_load(const LiteClDevice* device, const char* key, const char* options);

// Reads and writes other results in the same way: `size` bytes with a key of their own. Reading returns false
// when there are none.
bool lite_cl_cache_read(const LiteClDevice* device, const char* key, void* bytes, size_t size);
void lite_cl_cache_write(const LiteClDevice* device, const char* key, const void* bytes, size_t size);

// Keeps a built program.
void lite_cl_cache_store(const LiteClDevice* device, const char* key, cl_program program);

// Removes what has not been used the longest where the folder has become too large.
void lite_cl_cache_limit(const LiteClDevice* device);

#endif
