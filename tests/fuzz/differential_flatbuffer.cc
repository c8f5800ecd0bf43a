// SPDX-License-Identifier: Apache-2.0
// Our FlatBuffers verifier against the official one, on files and on seeded mutations of them: both must
// accept the same bytes.
//
//     fuzz_differential_flatbuffer COUNT SEED PATH...
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "official_generated.h"

extern "C" {
#include "core/model/schema.h"
#include "tests/fuzz/mutate.h"
}

namespace {

constexpr size_t kMaxSize = 64 * 1024;

struct Totals {
    int both = 0;
    int none = 0;
    int differ = 0;
};

char message[256];

void record(void*, const char* format, va_list args) {
    std::vsnprintf(message, sizeof(message), format, args);
}

void compare(const std::vector<uint8_t>& data, const char* name, long number, Totals* totals) {
    const LiteReporter reporter = {record, nullptr};
    message[0] = 0;
    const bool ours = lite_flat_verify(data.data(), data.size(), &lite_schema_model, LITE_SCHEMA_IDENTIFIER,
                                       &reporter) == kTfLiteOk;
    flatbuffers::Verifier verifier(data.data(), data.size());
    const bool theirs = official::VerifyModelBuffer(verifier);
    if (ours != theirs) {
        std::printf("%s, mutation %ld: we say %d, the official verifier %d. %s\n", name, number, ours, theirs,
                    message);
        totals->differ++;
    } else {
        (ours ? totals->both : totals->none)++;
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("usage: fuzz_differential_flatbuffer COUNT SEED PATH...\n", stderr);
        return 2;
    }
    int count;
    FuzzFile* files = fuzz_files(argv + 3, argc - 3, kMaxSize, &count);
    Totals totals;
    for (int i = 0; i < count; i++) {
        compare({files[i].data, files[i].data + files[i].size}, files[i].path, -1, &totals);
    }
    for (long i = 0; count > 0 && i < std::atol(argv[1]); i++) {
        uint64_t state = std::strtoull(argv[2], nullptr, 0) + static_cast<uint64_t>(i);
        const FuzzFile& file = files[fuzz_below(&state, static_cast<size_t>(count))];
        std::vector<uint8_t> data(file.data, file.data + file.size);
        fuzz_mutate(&state, data.data(), data.size());
        compare(data, file.path, i, &totals);
    }
    std::printf("%d files; accepted by both %d, by none %d, by one %d\n", count, totals.both, totals.none,
                totals.differ);
    fuzz_free_files(files, count);
    return count == 0 ? 77 : totals.differ > 0;
}
