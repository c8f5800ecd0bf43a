// SPDX-License-Identifier: Apache-2.0
// The same for the union BuiltinOptions2, into which the options of newer operators go.
#ifndef CORE_MODEL_OPTIONS_TABLES_2_H_
#define CORE_MODEL_OPTIONS_TABLES_2_H_

#include "core/model/flatbuffer.h"

// Builtin operator codes are below this number.
#define LITE_SCHEMA_OPERATORS 210

// Members of the union, by type.
extern const LiteFlatUnion lite_schema_builtin_options_2;

// The member that belongs to a builtin operator; NULL for those of the union BuiltinOptions.
extern const LiteFlatSchema* const lite_schema_operator_options_2[LITE_SCHEMA_OPERATORS];

#endif
