// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_items.h"

#include <math.h>
#include <stdalign.h>

#include "core/base/parallel.h"
#include "kernels-cpu/gemm/gemm_lines.h"
#include "kernels-cpu/gemm/gemm_x3_plan.h"
#include "kernels-cpu/support/selected.h"

// Float: with fewer rows for each thread, threads share the panels rather than the rows.
#define THREAD_ROWS 24
// Float: items for each thread, at least and at most, and products that are worth another one.
#define FEW_ITEMS 2
#define ITEMS 8
#define ITEM_WORK (512 * 1024)
#define X3_ITEMS 4
#define X3_ALONE 0.2 // part of an item that threads wait for the last one
// Float: panels of a part, where each is used once.
#define FEW_PANELS LITE_FEW_PANELS(1)
// Products smaller than this are not worth waking a second thread.
#define SMALL_PRODUCT (256 * 1024)
#define READ_ROWS 5

typedef struct Run {
    const LiteGemm* gemm;
    LiteGemmItemBody body;
    const void* argument;
    char* scratch;
    int64_t pairs;
    int64_t rows;      // of a pair
    int64_t tile_rows; // ranges of rows are made of
    int64_t item_rows; // at most
    int64_t panels;
    int threads;
    int64_t blocks;    // ranges of rows
    int64_t splits;    // ranges of panels
    bool rows_inside;  // items follow each other by range of panels, then of rows
    int64_t row_parts; // bytes: threads that the ranges of rows are divided among; else 1
} Run;

static int64_t ceil_div(int64_t x, int64_t y) {
    return (x + y - 1) / y;
}

static LiteGemmItem find_item(const Run* run, int64_t item_of_all) {
    const int64_t i = item_of_all % (run->blocks * run->splits);
    const int64_t block = run->rows_inside ? i % run->blocks : i / run->splits;
    const int64_t split = run->rows_inside ? i / run->blocks : i % run->splits;
    const int64_t parts = ceil_div(run->blocks, run->row_parts);
    const int64_t tile = run->tile_rows, tiles = ceil_div(run->rows, tile);
    const int64_t first = tiles * block / run->blocks * tile, end = tiles * (block + 1) / run->blocks * tile;
    LiteGemmItem item = {
        .pair = item_of_all / (run->blocks * run->splits),
        .first_row = first,
        .end_row = end < run->rows ? end : run->rows,
        .first_panel = run->panels * split / run->splits,
        .end_panel = run->panels * (split + 1) / run->splits,
        .part = run->rows_inside ? block % parts : 0,
        .parts = run->rows_inside ? parts : 1,
    };
    if (lite_gemm_is_by_lines(run->gemm)) lite_gemm_line_block(run->gemm, run->blocks, block, &item);
    return item;
}

static void run_item(const Run* run, LiteGemmItem item, int thread) {
    const LiteGemm* gemm = run->gemm;
    alignas(64) char small[LITE_STACK_SCRATCH];
    item.scratch = gemm->scratch > sizeof small ? run->scratch + (size_t)thread * gemm->scratch : small;
    run->body(gemm, &item, run->argument);
}

static void release(const LiteGemm* gemm) {
    if (gemm->micro->release != NULL) gemm->micro->release();
}

static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    const Run* run = argument;
    for (int64_t i = begin; i < end; i++) run_item(run, find_item(run, i), thread);
    if (begin == end) release(run->gemm);
}

// All of a pair as one item, as it is for one thread, without what it takes to find and share items.
static void run_whole(const Run* run) {
    run_item(run, (LiteGemmItem){.end_row = run->rows, .end_panel = run->panels, .parts = 1}, 0);
    release(run->gemm);
}

// How many items of a pair are worth it: one that has no processor for a while holds up less than a half, but
// each takes some time to begin.
static int64_t count_items(const Run* run, double work) {
    if (run->threads == 1) return 1;
    const double most = (double)ITEMS * run->threads, least = (double)FEW_ITEMS * run->threads;
    const double wanted = work / ITEM_WORK;
    return ceil_div((int64_t)(wanted < least ? least : wanted > most ? most : wanted), run->pairs);
}

// Ranges of rows times ranges of panels. Blocks of rows are as large as the scratch allows, and a whole
// number of them for each thread; with few rows, whose weights take longest, panels are divided instead, and
// rows only where there are too few of these. Panels that an item packs are of one block.
static void split_float(const LiteGemm* gemm, Run* run, double work) {
    const int64_t items = count_items(run, work), tiles = ceil_div(run->rows, gemm->rows);
    const int64_t least = run->rows <= LITE_FEW_ROWS ? FEW_PANELS : 1; // panels of an item
    const bool is_whole = gemm->own_panels > 0;
    run->rows_inside = run->rows * run->pairs < (int64_t)run->threads * THREAD_ROWS;
    run->blocks = is_whole ? 1 : ceil_div(run->rows, run->item_rows);
    if (!is_whole && !run->rows_inside && run->pairs < run->threads)
        run->blocks = ceil_div(run->blocks, run->threads) * run->threads;
    run->splits = ceil_div(items, run->rows_inside ? 1 : run->blocks);
    if (run->splits > ceil_div(run->panels, least)) run->splits = ceil_div(run->panels, least);
    if (is_whole || !run->rows_inside) return;
    const int64_t blocks = ceil_div(items, run->splits);
    if (run->blocks < blocks) run->blocks = blocks < tiles ? blocks : tiles;
}

// Rows and panels in parts are made for each item: the more ranges of rows, the more often panels are, and
// the other way round. What takes least, where few items for each thread count as slower: one that has no
// processor for a while holds up the others.
static void split_x3(const LiteGemm* gemm, Run* run) {
    const int64_t tiles = ceil_div(run->rows, gemm->rows), least_blocks = ceil_div(run->rows, run->item_rows);
    const int64_t most = X3_ITEMS * run->threads;
    double least = INFINITY;
    run->blocks = least_blocks;
    run->splits = 1;
    if (run->threads == 1) return;
    for (int64_t splits = 1; splits <= run->panels && splits <= most; splits += 1 + splits / 4) {
        for (int64_t blocks = least_blocks; blocks <= tiles; blocks *= 2) {
            if (blocks > least_blocks && blocks * splits > most) break;
            const int64_t rounds = ceil_div(blocks * splits, run->threads);
            const double rows = (double)ceil_div(run->rows, blocks),
                         panels = (double)ceil_div(run->panels, splits);
            const double item = lite_x3_cost(gemm->steps, rows, panels, 1.0 - 1.0 / (double)splits);
            const double cost = ((double)rounds + X3_ALONE) * item;
            if (cost >= least) continue;
            least = cost;
            run->blocks = blocks;
            run->splits = splits;
        }
    }
}

// Threads of an integer product form a grid, ranges of rows times ranges of panels. With many ranges of rows
// all threads read the same weights; with many ranges of panels they gather the same inputs, and what one
// writes is read by others later. What the largest share costs, in some 1/128 of a cycle, decides: 1 for a
// product, 24 for a byte of weights, which comes from far, 8 for one that is gathered, 32 for one that
// another core has.
static void split_int(const LiteGemm* gemm, Run* run) {
    const int threads = run->threads;
    const int64_t most_rows = run->item_rows, width = gemm->micro->panel;
    double least = INFINITY;
    run->rows_inside = true; // the weights of a range of panels stay in the thread's cache
    for (int splits = 1; splits <= threads && splits <= run->panels; splits++) {
        const int64_t row_parts = threads / splits < run->rows ? threads / splits : run->rows;
        const int64_t share = ceil_div(run->rows, row_parts); // rows of a thread
        const double rows = (double)share, columns = (double)(ceil_div(run->panels, splits) * width);
        const double remote = 1.0 - 1.0 / splits; // of inputs and outputs
        const double cost = (rows * columns + 24 * columns + 8 * rows) * (double)gemm->steps +
                            64 * remote * rows * (gemm->depth + columns);
        if (cost >= least) continue;
        least = cost;
        run->splits = splits;
        run->blocks = lite_gemm_is_by_lines(gemm) ? lite_gemm_line_blocks(gemm, row_parts)
                                                  : ceil_div(share, most_rows) * row_parts;
        run->threads = (int)row_parts * splits;
        run->row_parts = row_parts;
    }
}

TfLiteStatus lite_gemm_run_items(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                                 int64_t pairs, LiteGemmItemBody body, const void* argument) {
    LiteView scratch = {.data = NULL};
    if (gemm->scratch_tensor >= 0)
        LITE_TRY(lite_kernel_temporary_view(context, op, gemm->scratch_tensor, &scratch));
    Run run = {.gemm = gemm,
               .body = body,
               .argument = argument,
               .scratch = scratch.data,
               .pairs = pairs,
               .row_parts = 1};
    run.rows = lite_gemm_rows(&gemm->shape);
    run.item_rows = (int64_t)gemm->tiles * gemm->rows;
    const bool is_float = LITE_HAS_TYPE(kTfLiteFloat32) && gemm->form == kLiteGemmFloat;
    run.tile_rows = is_float ? gemm->rows : 1;
    run.panels = (int64_t)gemm->shape.groups * gemm->panels;
    if (run.rows == 0 || run.panels == 0) return kTfLiteOk;
    // Where rows are few, reading of weights takes longer than multiplying: as long as for so many more rows.
    const double weights = (double)(gemm->shape.out_c * (int64_t)gemm->steps);
    const double work = weights * (double)(pairs * (run.rows + READ_ROWS));
    run.threads = lite_kernel_num_threads(context);
    if (run.threads > gemm->threads) run.threads = gemm->threads;
    if (work < SMALL_PRODUCT) run.threads = 1;
    if (run.threads == 1 && pairs == 1 && run.rows <= run.item_rows && !lite_gemm_is_by_lines(gemm)) {
        run_whole(&run);
        return kTfLiteOk;
    }
    if (LITE_HAS_X3 && is_float && gemm->is_x3) {
        split_x3(gemm, &run);
    } else if (is_float) {
        split_float(gemm, &run, work);
    } else {
        split_int(gemm, &run);
    }
    lite_parallel_share(run.threads, run.pairs * run.blocks * run.splits, run_range, &run);
    return kTfLiteOk;
}
