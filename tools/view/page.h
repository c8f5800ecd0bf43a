// SPDX-License-Identifier: Apache-2.0
// The page: HTML that shows a model in a browser.
#ifndef TOOLS_VIEW_PAGE_H_
#define TOOLS_VIEW_PAGE_H_

#include <stdio.h>

#include "tools/view/drawing.h"

// Prints page.html, with the other files and the data of the page in the places of their names, {{name}}.
void view_print_page(FILE* out, const ViewDrawing* drawing);

// The files of the page, embedded at build time.
typedef struct ViewText {
    const char* name; // file name without its ending
    const char* text;
} ViewText;
extern const ViewText view_texts[]; // ends with a NULL name

#endif
