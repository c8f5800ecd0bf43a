// SPDX-License-Identifier: Apache-2.0
// metadata.h.
#include "oclite/metadata.h"

#include "core/model/metadata.h"

OcliteMetadata* oclite_metadata_create(const TfLiteModel* model,
                                       void (*reporter)(void* user_data, const char* format, va_list args),
                                       void* user_data) {
    const LiteReporter messages = {reporter, user_data};
    if (model == NULL) {
        lite_report(&messages, "metadata: no model");
        return NULL;
    }
    return lite_metadata_create((LiteModel*)model, &messages);
}

void oclite_metadata_delete(OcliteMetadata* metadata) {
    lite_metadata_delete(metadata);
}
