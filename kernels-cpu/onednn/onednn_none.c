// SPDX-License-Identifier: Apache-2.0
// A build without oneDNN: our own kernels compute everything.
#include "kernels-cpu/onednn/onednn.h"

TfLiteStatus lite_onednn_prepare(TfLiteOpaqueContext* context, LiteOnednn* onednn,
                                 const LiteOnednnProblem* problem) {
    (void)context, (void)onednn, (void)problem;
    return kTfLiteOk;
}

void lite_onednn_free(LiteOnednn* onednn) {
    (void)onednn;
}

TfLiteStatus lite_onednn_run(TfLiteOpaqueContext* context, const char* op, const LiteOnednn* onednn,
                             const LiteOnednnData* data) {
    (void)onednn, (void)data;
    return lite_fail(context, "%s: there is no plan to run", op);
}
