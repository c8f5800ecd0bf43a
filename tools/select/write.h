// SPDX-License-Identifier: Apache-2.0
// The files that oclite select writes.
#ifndef TOOLS_SELECT_WRITE_H_
#define TOOLS_SELECT_WRITE_H_

#include <stdio.h>

#include "tools/select/select.h"

// What can be written: one file each.
typedef struct SelectFile {
    const char* name;
    void (*write)(FILE* stream, const Selection* selection);
} SelectFile;
extern const SelectFile select_files[]; // ends with a NULL name

#endif
