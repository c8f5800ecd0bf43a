// SPDX-License-Identifier: Apache-2.0
// litert.py, embedded at build time.
#ifndef TOOLS_DIFF_LITERT_SCRIPT_H_
#define TOOLS_DIFF_LITERT_SCRIPT_H_

typedef struct DiffScript {
    const char* name; // "litert"
    const char* text;
} DiffScript;
extern const DiffScript diff_scripts[]; // ends with a NULL name

#endif
