// SPDX-License-Identifier: Apache-2.0
// The drivers that the ICD loader will find; and keeping their LLVM apart from another LLVM in the process.
#ifndef DELEGATE_OPENCL_DEVICE_ICD_H_
#define DELEGATE_OPENCL_DEVICE_ICD_H_

#include <stddef.h>

// Opens every driver that the ICD loader will find, before the loader does, and binds all of its symbols at
// once. So nothing that the process loads later can come between a driver and its LLVM. Where the process
// already has an LLVM that all libraries are bound to (TensorFlow's wheel exports one, and PoCL and Mesa
// would crash), the drivers are bound to themselves first (RTLD_DEEPBIND). This is not done elsewhere,
// because they would then miss a malloc that the program has replaced. A driver that does not use LLVM is
// opened in the same way: which one does is known only after its constructors have run. Those that are left
// out (left_out.h) are not opened.
void lite_cl_isolate_vendors(void);

// Calls `visit` for the library of each driver that the ICD loader will find: a path, or a name for the
// dynamic linker.
void lite_cl_each_vendor(void (*visit)(void* user_data, const char* library), void* user_data);

// Writes why the first driver that cannot be opened cannot, behind "; "; "" where all can. Those that are
// left out are not opened.
void lite_cl_describe_unopened(char* text, size_t size);

#endif
