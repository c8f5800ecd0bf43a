// SPDX-License-Identifier: Apache-2.0
// The tables of operators' options in the schema, with the members of TfLite*Params that their fields become.
#ifndef CORE_MODEL_OPTIONS_TABLES_H_
#define CORE_MODEL_OPTIONS_TABLES_H_

#include "core/model/options_tables_2.h"

// Members of the union BuiltinOptions, by type.
extern const LiteFlatUnion lite_schema_builtin_options;

// The member that belongs to a builtin operator; NULL for operators without parameters, and for those of the
// union BuiltinOptions2.
extern const LiteFlatSchema* const lite_schema_operator_options[LITE_SCHEMA_OPERATORS];

#endif
