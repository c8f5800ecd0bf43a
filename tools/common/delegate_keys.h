// SPDX-License-Identifier: Apache-2.0
// The keys of --delegate opencl:KEY=VALUE,... in words: for --help, the manual pages and the shells'
// completion. The delegate itself reads them; include/oclite/opencl.h is the whole description.
#ifndef TOOLS_COMMON_DELEGATE_KEYS_H_
#define TOOLS_COMMON_DELEGATE_KEYS_H_

#include "tools/common/command.h"

typedef struct ToolDelegateKey {
    const char* name;    // NULL ends the table
    const char* value;   // in the help: "N"
    const char* choices; // what shells offer, "gpu|cpu"; NULL: nothing, "": files
    const char* help;
} ToolDelegateKey;

extern const ToolDelegateKey tool_delegate_keys[];

// Whether "opencl:KEY=VALUE,..." is a value of the option.
bool tool_option_takes_keys(const ToolOption* option);

#endif
