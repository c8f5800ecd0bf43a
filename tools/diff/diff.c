// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/diff.h"

DiffKind diff_kind(const DiffWork* work, int tensor) {
    const TfLiteTensor* about = diff_graph_tensor(&work->graph, tensor);
    if (about == NULL) return (DiffKind){.type = kTfLiteNoType};
    return (DiffKind){.type = TfLiteTensorType(about),
                      .is_quantized = about->quantization.type == kTfLiteAffineQuantization};
}

DiffRow* diff_find_row(const DiffWork* work, int tensor) {
    for (int r = 0; r < work->row_count; r++) {
        if (work->rows[r].tensor == tensor) return &work->rows[r];
    }
    return NULL;
}

bool diff_is_beyond(const DiffError* error) {
    return error->verdict >= kDiffDiffers;
}

bool diff_is_worse(const DiffError* error, const DiffError* other) {
    if (error->verdict != other->verdict) return error->verdict > other->verdict;
    return error->excess > other->excess;
}
