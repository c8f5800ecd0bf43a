// SPDX-License-Identifier: Apache-2.0
// Entry point for libFuzzer: fuzz_model [CORPUS...]
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_run(data, size);
    return 0;
}
