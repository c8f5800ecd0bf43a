// SPDX-License-Identifier: Apache-2.0
// What a view can be written as. Each prints to a stream, whose errors show when it is closed.
#ifndef TOOLS_VIEW_OUTPUT_H_
#define TOOLS_VIEW_OUTPUT_H_

#include <stdio.h>

#include "tools/view/layout.h"

// A model, drawn: as many graphs and layouts as the subject has subgraphs.
typedef struct ViewDrawing {
    const ViewSubject* subject;
    const ViewGraph* graphs;
    const ViewLayout* layouts; // NULL for DOT
} ViewDrawing;

void view_print_page(FILE* out, const ViewDrawing* drawing); // HTML
void view_print_data(FILE* out, const ViewDrawing* drawing); // the page's JSON
void view_print_svg(FILE* out, const ViewDrawing* drawing);
void view_print_dot(FILE* out, const ViewDrawing* drawing);
void view_print_trace(FILE* out, const ViewSubject* subject); // JSON trace events

// The files of the page, embedded at build time.
typedef struct ViewText {
    const char* name; // file name without its ending
    const char* text;
} ViewText;
extern const ViewText view_texts[]; // ends with a NULL name

#endif
