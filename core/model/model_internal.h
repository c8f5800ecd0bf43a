// SPDX-License-Identifier: Apache-2.0
// What a model consists of, for model.c and for the loader, which fills it in.
#ifndef CORE_MODEL_MODEL_INTERNAL_H_
#define CORE_MODEL_MODEL_INTERNAL_H_

#include <stdatomic.h>

#include "core/base/memory.h"
#include "core/base/shared.h"
#include "core/base/system.h"
#include "core/model/model.h"

struct LiteModel {
    atomic_int references;
    uint64_t number;
    LiteArena arena;
    LiteMapping mapping; // fd -1 for models from memory
    const uint8_t* data;
    size_t size;
    const uint8_t* root; // the root table in data; NULL: the model has no bytes
    bool is_part;        // data begins somewhere in a buffer, not at its start
    int schema_version;
    const char* description;
    int subgraph_count;
    const LiteModelSubgraph* subgraphs;
    int signature_count;
    LiteModelSignature* signatures;
    int metadata_count;
    LiteModelMetadata* metadata;
    LiteShared shared;
    LiteModelInts optimization_modes; // data NULL: the model does not say
};

#endif
