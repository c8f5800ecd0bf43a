// SPDX-License-Identifier: Apache-2.0
// Reports go to strangers: they say what the system is, and not whose.
#ifndef TOOLS_DEVICES_PRIVATE_H_
#define TOOLS_DEVICES_PRIVATE_H_

#include "tools/common/facts.h"

// Adds the kernel, the processor's architecture and the C library.
void devices_add_system(cJSON* facts);

// Replaces the path of the user's home, the user's name and the machine's name in all texts.
void devices_remove_private(cJSON* facts);

#endif
