// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/table.h"

#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"

static ToolStatus make_rows(BenchTable* table, int count, ToolMessage* message) {
    *table = (BenchTable){.rows = calloc((size_t)count + 1, sizeof(BenchRow))};
    return table->rows != NULL ? kToolOk : tool_out_of_memory(message);
}

void bench_table_free(BenchTable* table) {
    for (int i = 0; i < table->count; i++) {
        free(table->rows[i].type);
        free(table->rows[i].name);
    }
    free(table->rows);
    *table = (BenchTable){0};
}

static ToolStatus add_phase(BenchTable* table, const char* type, double microseconds, ToolMessage* message) {
    BenchRow* row = &table->rows[table->count++];
    char name[64];
    snprintf(name, sizeof(name), "%s/0", type);
    *row = (BenchRow){.type = strdup(type), .name = strdup(name)};
    tool_moments_add(&row->microseconds, microseconds);
    return row->type != NULL && row->name != NULL ? kToolOk : tool_out_of_memory(message);
}

ToolStatus bench_table_init(const Bench* bench, BenchTable* table, ToolMessage* message) {
    ToolStatus status = make_rows(table, 2, message);
    if (status == kToolOk && bench->delegate_count > 0) {
        status = add_phase(table, "ModifyGraphWithDelegate", bench->delegate_us, message);
    }
    if (status == kToolOk) status = add_phase(table, "AllocateTensors", bench->allocate_us, message);
    double total = 0;
    for (int i = 0; i < table->count; i++) total += table->rows[i].microseconds.sum;
    tool_moments_add(&table->total, total);
    return status;
}

static char* node_name(const Bench* bench, int subgraph, int index, const OcliteNode* node) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    fputc('[', out);
    for (int i = 0; i < node->output_count; i++) {
        const TfLiteTensor* tensor =
            node->outputs[i] < 0
                ? NULL
                : oclite_interpreter_tensor(bench->session.interpreter, subgraph, node->outputs[i]);
        if (i > 0) fputs(", ", out);
        tool_put_name(out, tensor != NULL && tensor->name != NULL ? tensor->name : "Unknown");
    }
    fprintf(out, "]:%d", index);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static char* clean_copy(const char* name) {
    char* text = strdup(name);
    for (char* c = text; c != NULL && *c; c++) *c = (char)((unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
    return text;
}

ToolStatus bench_table_nodes(const Bench* bench, int subgraph, BenchTable* table, ToolMessage* message) {
    const BenchProfile* profile = &bench->profile;
    const ToolStatus status = make_rows(table, profile->row_count, message);
    if (status != kToolOk) return status;
    table->total = profile->totals[subgraph];
    for (int i = 0; i < profile->row_count; i++) {
        const BenchNodeTimes* times = &profile->rows[i];
        OcliteNode node;
        if (times->subgraph != subgraph) continue;
        if (!bench_profile_node(profile, bench->session.interpreter, i, &node)) continue;
        BenchRow* row = &table->rows[table->count++];
        row->type = clean_copy(node.op);
        row->name = node_name(bench, subgraph, times->node, &node);
        row->microseconds = times->microseconds;
        if (row->type == NULL || row->name == NULL) return tool_out_of_memory(message);
    }
    return kToolOk;
}

ToolStatus bench_table_kernels(const Bench* bench, BenchTable* table, ToolMessage* message) {
    const BenchProfile* profile = &bench->profile;
    const ToolStatus status = make_rows(table, profile->kernel_count, message);
    if (status != kToolOk) return status;
    double total = 0;
    for (int i = 0; i < profile->kernel_count; i++) {
        const BenchKernelTimes* kernel = &profile->kernels[i];
        BenchRow* row = &table->rows[table->count++];
        char* op = clean_copy(kernel->launch.op);
        char name[256];
        snprintf(name, sizeof(name), "Delegate/%s %s:%d", op != NULL ? op : "", kernel->launch.kernel, i);
        free(op);
        row->type = strdup("DelegateOpInvoke");
        row->name = strdup(name);
        row->microseconds = kernel->microseconds;
        if (row->type == NULL || row->name == NULL) return tool_out_of_memory(message);
        total += row->microseconds.mean;
    }
    // Only the mean of a whole run is known.
    if (table->count > 0) {
        table->total = (ToolMoments){.count = table->rows[0].microseconds.count, .mean = total};
        table->total.sum = total * (double)table->total.count;
        table->total.first = table->total.last = table->total.min = table->total.max = total;
    }
    return kToolOk;
}

static double share(double part, double whole) {
    return whole > 0 ? part / whole * 100 : 0;
}

static void print_head(FILE* out, const char* title, bool as_csv) {
    fprintf(out, "============================== %s ==============================\n", title);
    if (as_csv) {
        fprintf(out, "node type, first, avg_ms, %%, cdf%%, mem KB, times called, name\n");
    } else {
        fprintf(out, "\t%40s\t%9s\t%9s\t%8s\t%8s\t%10s\t%9s\t%s\n", "[node type]", "[first]", "[avg ms]",
                "[%]", "[cdf%]", "[mem KB]", "[times called]", "[Name]");
    }
}

static void print_row(FILE* out, const BenchRow* row, double cumulated, const ToolMoments* total,
                      bool as_csv) {
    const ToolMoments* times = &row->microseconds;
    const long long calls = (long long)(total->count > 0 ? times->count / total->count : times->count);
    if (!as_csv) {
        fprintf(out, "\t%40s\t%9.3f\t%9.3f\t%7.3f%%\t%7.3f%%\t%10.3f\t%9lld\t%s\n", row->type,
                times->first * 1e-3, times->mean * 1e-3, share(times->sum, total->sum),
                share(cumulated, total->sum), row->memory_kb, calls, row->name);
        return;
    }
    fprintf(out, "%s, %g, %g, %g%%, %g%%, %g, %lld, ", row->type, times->first * 1e-3, times->mean * 1e-3,
            share(times->sum, total->sum), share(cumulated, total->sum), row->memory_kb, calls);
    // As in the reference, a comma in a name becomes a tabulator.
    for (const char* c = row->name; *c; c++) fputc(*c == ',' ? '\t' : *c, out);
    fprintf(out, "\n");
}

static int slowest_first(const void* left, const void* right) {
    const BenchRow* a = *(const BenchRow* const*)left;
    const BenchRow* b = *(const BenchRow* const*)right;
    if (a->microseconds.mean != b->microseconds.mean)
        return a->microseconds.mean > b->microseconds.mean ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void print_rows(FILE* out, const char* title, const BenchTable* table, const BenchRow* const* rows,
                       int count, bool as_csv) {
    double cumulated = 0;
    print_head(out, title, as_csv);
    for (int i = 0; i < count; i++) {
        cumulated += rows[i]->microseconds.sum;
        print_row(out, rows[i], cumulated, &table->total, as_csv);
    }
    fprintf(out, "\n");
}

// All nodes of one type.
typedef struct Type {
    const char* name;
    int count;
    double milliseconds; // of an inference
    double memory_kb;
    int64_t calls;
} Type;

static int longest_first(const void* left, const void* right) {
    const Type* a = left;
    const Type* b = right;
    if (a->milliseconds != b->milliseconds) return a->milliseconds > b->milliseconds ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int collect_types(const BenchTable* table, Type* types) {
    int count = 0;
    const double runs = table->total.count > 0 ? (double)table->total.count : 1;
    for (int i = 0; i < table->count; i++) {
        const BenchRow* row = &table->rows[i];
        int t = 0;
        while (t < count && strcmp(types[t].name, row->type) != 0) t++;
        if (t == count) types[count++] = (Type){.name = row->type};
        types[t].count++;
        types[t].milliseconds += row->microseconds.sum / runs * 1e-3;
        types[t].memory_kb += row->memory_kb;
        types[t].calls += row->microseconds.count / (int64_t)runs;
    }
    qsort(types, (size_t)count, sizeof(*types), longest_first);
    return count;
}

static void print_types(FILE* out, const BenchTable* table, const Type* types, int count, bool as_csv) {
    double total = 0;
    double cumulated = 0;
    for (int t = 0; t < count; t++) total += types[t].milliseconds;
    fprintf(out, "Number of nodes executed: %d\n", table->count);
    fprintf(out, "============================== Summary by node type ==============================\n");
    if (as_csv) {
        fprintf(out, "node type, count, avg_ms, avg %%, cdf %%, mem KB, times called\n");
    } else {
        fprintf(out, "\t%40s\t%9s\t%10s\t%11s\t%11s\t%10s\t%10s\n", "[Node type]", "[count]", "[avg ms]",
                "[avg %]", "[cdf %]", "[mem KB]", "[times called]");
    }
    for (int t = 0; t < count; t++) {
        cumulated += types[t].milliseconds;
        fprintf(out,
                as_csv ? "%s, %d, %g, %g%%, %g%%, %g, %lld\n"
                       : "\t%40s\t%9d\t%10.3f\t%10.3f%%\t%10.3f%%\t%10.3f\t%9lld\n",
                types[t].name, types[t].count, types[t].milliseconds, share(types[t].milliseconds, total),
                share(cumulated, total), types[t].memory_kb, (long long)types[t].calls);
    }
    fprintf(out, "\n");
}

void bench_table_print_total(FILE* out, const BenchTable* table) {
    const ToolMoments* total = &table->total;
    fprintf(out, "Timings (microseconds): count=%lld", (long long)total->count);
    if (total->count > 0 && total->min == total->max) {
        fprintf(out, " curr=%lld%s", (long long)total->last, total->count > 1 ? "(all same)" : "");
    } else if (total->count > 0) {
        fprintf(out, " first=%lld curr=%lld min=%lld max=%lld avg=%g std=%lld", (long long)total->first,
                (long long)total->last, (long long)total->min, (long long)total->max, total->mean,
                (long long)tool_moments_deviation(total));
    }
    fprintf(out, "\nMemory (bytes): count=0\n%d nodes observed\n\n", table->count);
}

ToolStatus bench_table_print(FILE* out, const BenchTable* table, bool as_csv, ToolMessage* message) {
    enum { kMaxSlow = 10 };
    const BenchRow** rows = calloc((size_t)table->count + 1, sizeof(*rows));
    Type* types = calloc((size_t)table->count + 1, sizeof(*types));
    if (rows != NULL && types != NULL) {
        for (int i = 0; i < table->count; i++) rows[i] = &table->rows[i];
        print_rows(out, "Run Order", table, rows, table->count, as_csv);
        qsort(rows, (size_t)table->count, sizeof(*rows), slowest_first);
        print_rows(out, "Top by Computation Time", table, rows,
                   table->count < kMaxSlow ? table->count : kMaxSlow, as_csv);
        print_types(out, table, types, collect_types(table, types), as_csv);
    }
    const ToolStatus status = rows != NULL && types != NULL ? kToolOk : tool_out_of_memory(message);
    free(rows);
    free(types);
    return status;
}
