// SPDX-License-Identifier: Apache-2.0
// A bar on a terminal while programs are compiled.
#ifndef TOOLS_COMMON_PROGRESS_H_
#define TOOLS_COMMON_PROGRESS_H_

#include "oclite/opencl.h"

// For oclite_opencl_delegate_set_progress. Draws on stderr, if that is a terminal, as long as there is
// something to compile, and then removes the bar. `user_data` is not used.
void tool_progress_draw(void* user_data, const OcliteOpenclProgress* progress);

// The bar's text, as it is drawn. `text` has room for TOOL_PROGRESS_TEXT bytes.
enum { TOOL_PROGRESS_TEXT = 128 };
void tool_progress_text(const OcliteOpenclProgress* progress, char* text);

#endif
