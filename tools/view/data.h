// SPDX-License-Identifier: Apache-2.0
// What the page shows, as JSON. Members with their usual value are left out; the page's scripts add them.
#ifndef TOOLS_VIEW_DATA_H_
#define TOOLS_VIEW_DATA_H_

#include <stdio.h>

#include "tools/view/drawing.h"

void view_print_data(FILE* out, const ViewDrawing* drawing);

#endif
