// SPDX-License-Identifier: Apache-2.0
// A model as SVG, and as a graph for Graphviz.
#ifndef TOOLS_VIEW_PICTURE_H_
#define TOOLS_VIEW_PICTURE_H_

#include <stdio.h>

#include "tools/view/drawing.h"

void view_print_svg(FILE* out, const ViewDrawing* drawing);
void view_print_dot(FILE* out, const ViewDrawing* drawing);

#endif
