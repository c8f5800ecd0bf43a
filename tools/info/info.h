// SPDX-License-Identifier: Apache-2.0
// What oclite info finds out about a model, as facts (tools/facts.h), and how it prints them.
#ifndef TOOLS_INFO_INFO_H_
#define TOOLS_INFO_INFO_H_

#include <stddef.h>

#include "oclite/edit.h"
#include "tools/facts.h"
#include "tools/session.h"

typedef struct Info {
    ToolSession session;
    OcliteEdit* edit; // NULL: the file cannot be looked into
} Info;

// The file: size, description, metadata, signatures, buffers, parameters, operators, inputs and outputs.
void info_add_model(const Info* info, cJSON* facts);

// Every subgraph: its tensors, and its nodes with parameters and work. With the sums of the main one.
void info_add_subgraphs(const Info* info, cJSON* facts);

// All of it as text.
void info_print(const Info* info, const cJSON* facts);

#endif
