// SPDX-License-Identifier: Apache-2.0
// fuzz_verify: our FlatBuffers verifier and the official one accept the same files.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "official_generated.h"

extern "C" {
#include "core/model/schema.h"
#include "tests/fuzz/target.h"
}

static void record(void* message, const char* format, va_list args) {
    std::vsnprintf(static_cast<char*>(message), 256, format, args);
}

bool fuzz_verify(const uint8_t* data, size_t size) {
    char message[256] = "";
    const LiteReporter reporter = {record, message};
    const bool ours =
        lite_flat_verify(data, size, &lite_schema_model, LITE_SCHEMA_IDENTIFIER, &reporter) == kTfLiteOk;
    flatbuffers::Verifier verifier(data, size);
    const bool theirs = official::VerifyModelBuffer(verifier);
    if (ours == theirs) return ours;
    std::fprintf(stderr, "we say %d, the official verifier %d. %s\n", ours, theirs, message);
    std::abort();
}
