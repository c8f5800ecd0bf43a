// SPDX-License-Identifier: Apache-2.0
// Files that the build puts into the program (cmake/embed.cmake).
#ifndef DELEGATE_OPENCL_HELPER_EMBEDDED_H_
#define DELEGATE_OPENCL_HELPER_EMBEDDED_H_

typedef struct SelftestFile {
    const char* name;
    const char* bytes;
} SelftestFile;
extern const SelftestFile selftest_embedded[]; // ends with a NULL name

#endif
