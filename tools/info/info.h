// SPDX-License-Identifier: Apache-2.0
// A model that oclite info looks at.
#ifndef TOOLS_INFO_INFO_H_
#define TOOLS_INFO_INFO_H_

#include <stddef.h>

#include "oclite/edit.h"
#include "tools/common/session.h"

typedef struct Info {
    ToolSession session;
    OcliteEdit* edit; // NULL when the file cannot be opened for reading
} Info;

#endif
