// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's description of a model, as oclite/metadata.h has it: a FlatBuffer with a schema of its
// own, verified like the model.
#ifndef CORE_MODEL_METADATA_H_
#define CORE_MODEL_METADATA_H_

#include "core/model/model.h"
#include "oclite/metadata.h"

// NULL, with a message, when it is damaged or memory runs out. The result keeps a reference to the model.
OcliteMetadata* lite_metadata_create(LiteModel* model, const LiteReporter* reporter);
void lite_metadata_delete(OcliteMetadata* metadata);

#endif
