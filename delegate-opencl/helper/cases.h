// SPDX-License-Identifier: Apache-2.0
// The models of the self-test: one node each, on small data (make_cases.py writes them).
//
// A file of cases is "OCLCASE1", the bytes that follow, the number of cases, and of each case: the length of
// the operator's name, the name, the size of the model, the model, the number of inputs, and of each input
// its size and its bytes. Numbers are 32 bits, the low byte first.
#ifndef DELEGATE_OPENCL_HELPER_CASES_H_
#define DELEGATE_OPENCL_HELPER_CASES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CASE_INPUTS = 16, CASE_NAME = 48 };

typedef struct CaseBytes {
    const unsigned char* data;
    size_t size;
} CaseBytes;

typedef struct SelftestCase {
    char name[CASE_NAME];
    CaseBytes model;
    int input_count;
    CaseBytes inputs[CASE_INPUTS];
} SelftestCase;

typedef struct CaseReader {
    const unsigned char* at;
    const unsigned char* end;
    uint32_t left;
} CaseReader;

// The cases in a file; those of the program where `data` is NULL. False: it is none.
bool cases_open(CaseReader* reader, const unsigned char* data, size_t size);
// The next case; false behind the last one, or where the file is damaged.
bool cases_next(CaseReader* reader, SelftestCase* found);

#endif
