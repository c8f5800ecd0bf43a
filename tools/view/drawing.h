// SPDX-License-Identifier: Apache-2.0
// The drawing of a model, from which all forms of a view are printed. Errors of their streams show when these
// are closed.
#ifndef TOOLS_VIEW_DRAWING_H_
#define TOOLS_VIEW_DRAWING_H_

#include "tools/view/layout.h"
#include "tools/view/subject.h"

// A model, drawn: as many graphs and layouts as the subject has subgraphs.
typedef struct ViewDrawing {
    const ViewSubject* subject;
    const ViewGraph* graphs;
    const ViewLayout* layouts; // NULL for DOT
} ViewDrawing;

#endif
