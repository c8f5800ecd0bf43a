// SPDX-License-Identifier: Apache-2.0
// The layout of a piece without dot: rows by depth, in which boxes are near those that they read and those
// that read them. Lines that pass rows have a place in them, as boxes have. The time is nearly linear in the
// piece's boxes and lines.
#ifndef TOOLS_VIEW_LAYERED_H_
#define TOOLS_VIEW_LAYERED_H_

#include "tools/view/piece.h"

// Places the piece's vertices, and draws its edges: `lines` are those of the graph's edges. An edge that
// leads upwards, or has too long a way, keeps no line. Returns false when memory runs out.
bool view_layered_place(ViewPiece* piece, ViewLine* lines);

#endif
