// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/bench.h"

#include <string.h>

#include "oclite/oclite.h"

bool bench_is_given(const BenchSettings* settings, const char* name) {
    for (int i = 0; i < settings->given.count; i++) {
        if (strcmp(settings->given.items[i], name) == 0) return true;
    }
    return false;
}

int bench_threads(const Bench* bench) {
    const TfLiteContext* context =
        oclite_interpreter_context(bench->session.interpreter, bench->runner.subgraph);
    return oclite_context_num_threads((const TfLiteOpaqueContext*)context);
}
