// SPDX-License-Identifier: Apache-2.0
// The tables behind nodes.
#ifndef CORE_EDIT_NODE_H_
#define CORE_EDIT_NODE_H_

#include "core/model/schema.h"

// The schema of the options that the operator has in the union `id` (kOperatorBuiltinOptions or
// kOperatorBuiltinOptions2); NULL when there are none.
static inline const LiteFlatSchema* lite_edit_options(LiteFlatTable op, int id) {
    const LiteFlatUnion* members =
        id == kOperatorBuiltinOptions ? &lite_schema_builtin_options : &lite_schema_builtin_options_2;
    const uint8_t type = lite_flat_u8(op, id - 1);
    return lite_flat_field(op, id) != NULL && type < members->count ? members->members[type] : NULL;
}

#endif
