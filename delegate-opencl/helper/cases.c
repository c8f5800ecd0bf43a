// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/helper/cases.h"

#include <string.h>

#include "delegate-opencl/helper/embedded.h"

static bool take_number(CaseReader* reader, uint32_t* number) {
    if (reader->end - reader->at < 4) return false;
    const unsigned char* at = reader->at;
    *number = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    reader->at += 4;
    return true;
}

static bool take_bytes(CaseReader* reader, CaseBytes* bytes) {
    uint32_t size;
    if (!take_number(reader, &size) || (size_t)(reader->end - reader->at) < size) return false;
    *bytes = (CaseBytes){reader->at, size};
    reader->at += size;
    return true;
}

bool cases_open(CaseReader* reader, const unsigned char* data, size_t size) {
    static const char magic[] = "OCLCASE1";
    enum { HEAD = sizeof magic - 1 + 4 };
    uint32_t rest;
    const bool own = data == NULL;
    if (own) data = (const unsigned char*)selftest_embedded[0].bytes;
    *reader = (CaseReader){.at = data, .end = data + (own ? HEAD : size)};
    if (reader->end - data < HEAD || memcmp(data, magic, sizeof magic - 1) != 0) return false;
    reader->at += sizeof magic - 1;
    if (!take_number(reader, &rest)) return false;
    if (own) reader->end += rest;
    return (size_t)(reader->end - reader->at) == rest && take_number(reader, &reader->left);
}

bool cases_next(CaseReader* reader, SelftestCase* found) {
    CaseBytes name;
    uint32_t inputs;
    *found = (SelftestCase){0};
    if (reader->left == 0 || !take_bytes(reader, &name) || name.size >= CASE_NAME) return false;
    memcpy(found->name, name.data, name.size);
    if (!take_bytes(reader, &found->model) || !take_number(reader, &inputs) || inputs > CASE_INPUTS)
        return false;
    for (; found->input_count < (int)inputs; found->input_count++) {
        if (!take_bytes(reader, &found->inputs[found->input_count])) return false;
    }
    reader->left--;
    return true;
}
