// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/report.h"

#include "oclite/opencl.h"
#include "tools/bench/delegates.h"
#include "tools/bench/figures.h"
#include "tools/bench/memory.h"

enum { kMegabyte = 1 << 20 };

// What was asked for may not be what the device did.
static void report_precision(const Bench* bench) {
    const BenchPrecision* precision = &bench->precision;
    if (precision->nodes == 0) return;
    fprintf(bench->log, "Precision on the device: float16 in %d of %d nodes, float32 in the others\n",
            precision->float16, precision->nodes);
    // Else the processor's times would pass for the device's.
    const char* failure = oclite_opencl_delegate_failure(bench_opencl(bench));
    if (failure != NULL && failure[0] != '\0')
        fprintf(bench->log, "The device failed, and the processor computed in its place: %s\n", failure);
}

// Prints memory in the words of the reference, which reports the peaks of the process, so that released
// memory counts as well.
void bench_report_reference(const Bench* bench) {
    FILE* log = bench->log;
    const BenchMemory* memory = &bench->memory;
    fprintf(
        log,
        "Inference timings in us: Init: %lld, First inference: %lld, Warmup (avg): %g, Inference (avg): %g\n",
        (long long)bench->init_us, (long long)bench_first_us(bench), bench->warmup.moments.mean,
        bench->runs.moments.mean);
    report_precision(bench);
    fprintf(
        log,
        "Note: as the benchmark tool itself affects memory footprint, the following is only APPROXIMATE to "
        "the actual memory footprint of the model at runtime. Take the information at your discretion.\n");
    fprintf(log, "Memory footprint delta from the start of the tool (MB): init=%g overall=%g\n",
            (memory->peak_ready - memory->peak_before) / kMegabyte,
            (memory->peak - memory->peak_before) / kMegabyte);
    if (!(memory->peak_seen > 0)) return;
    double shared = 0;
    const double resident = bench_resident(&shared);
    fprintf(log, "Overall peak memory footprint (MB) via periodic monitoring: %g\n",
            memory->peak_seen / kMegabyte);
    // Spelt as the reference does.
    fprintf(log, "Memory status at the end of exeution:\n");
    fprintf(log, "- VmRSS              : %.0f MB\n", resident / kMegabyte);
    fprintf(log, "+ RssAnnon           : %.0f MB\n", (resident - shared) / kMegabyte);
    fprintf(log, "+ RssFile + RssShmem : %.0f MB\n", shared / kMegabyte);
}

static void report_times(Bench* bench) {
    FILE* log = bench->log;
    if (bench->runs.moments.count == 0) return;
    fprintf(log, "\n%-22s %12s\n", "Inference", "ms");
    for (int i = 0; i < kBenchFigures; i++) {
        fprintf(log, "  %-20s %12.4f\n", bench_figure_name(i), bench_figure(bench, i));
    }
    fprintf(log, "  of %lld inferences\n", (long long)bench->runs.moments.count);
}

static void report_weights(FILE* log, const char* what, size_t bytes) {
    if (bytes > 0) fprintf(log, "  %-20s %12.3f\n", what, (double)bytes / kMegabyte);
}

static void report_memory(const Bench* bench) {
    FILE* log = bench->log;
    fprintf(log, "\n%-22s %12s\n", "Memory", "MiB");
    fprintf(log, "  %-20s %12.3f\n", "model file", bench->model_bytes / kMegabyte);
    fprintf(log, "  %-20s %12.3f\n", "tensors", (double)bench->tensor_bytes / kMegabyte);
    report_weights(log, "packed weights", bench->weights.bytes);
    report_weights(log, "  in bfloat16", bench->weights.bfloat16_bytes);
    report_weights(log, "  in float16", bench->weights.float16_bytes);
    report_weights(log, "  mapped", bench->weights.mapped_bytes);
    if (bench_opencl(bench) != NULL) {
        fprintf(log, "  %-20s %12.3f\n", "on the device", (double)bench->device_bytes / kMegabyte);
    }
    fprintf(log, "  %-20s %12.3f\n", "peak resident", bench->memory.peak / kMegabyte);
}

void bench_report(Bench* bench) {
    report_times(bench);
    report_memory(bench);
}
