// SPDX-License-Identifier: Apache-2.0
// Products of matrices by work-groups that share a tile in local memory, for conv_local.cl and
// matmul_local.cl.
//
//   a team: TEAM items, which have a tile of BM rows x BN columns in their registers, MR rows x NV vectors
//   each a slice: BK steps of the depth. The team brings those of its rows and of its columns into local
//   memory, and multiplies them. SPLIT teams take slices in turn and add their sums at the end, so that deep
//   products of few rows have items enough.
//
// A step is an element of a row, or, with QUANTIZED, the bytes of four channels (gemm_tile.cl).
//
// Prelude: VW 4, MR (a multiple of 4), NV, BM, BN, BK (a multiple of 4), TEAM (BM / MR * BN / NR), SPLIT.
#ifndef NR
#define NR (NV * VW)
#endif
#define QUADS (BK / 4) // of a row in a slice
#define ROW_LOADS (BM * QUADS / TEAM)
#define COLUMN_LOADS (BK * BN / 4 / TEAM)
#define ROWS_STRIDE (BM + 4) // so that stores of neighbouring steps go to other banks
#define TEAM_STEPS (BK * (ROWS_STRIDE + BN))
#define SUM_VECTORS (MR * NV * TEAM)
#define TILE_STEPS (SPLIT * TEAM_STEPS)
#define SUM_STEPS ((SPLIT - 1) * SUM_VECTORS * VW)
#define LOCAL_VECTORS ((TILE_STEPS > SUM_STEPS ? TILE_STEPS : SUM_STEPS) / VW)
#ifdef QUANTIZED
typedef int step_type;
typedef integers steps;
#define MULTIPLY(acc, x, w) acc = add_dots(acc, (integers)(x), w)
#else
typedef float step_type;
typedef vector steps;
#define MULTIPLY(acc, x, w) acc += (x) * (w)
#endif
// Vectors at multiples of their size: vload4, which may be given any address, is four loads on GPUs.
#define LOCAL(p) (*(__local steps*)(p))

// What is known of an item: its number in its team, the first of its quads in the slice's rows, and its part
// of the tile.
typedef struct Item {
    int item, team;
    int row, quad;
    int m, n;
} Item;

inline Item find_item(void) {
    const int id = get_local_id(0), item = id % TEAM;
    return (Item){item, id / TEAM, item / QUADS, item % QUADS, item / (BN / NR) * MR, item % (BN / NR) * NR};
}

// Puts a slice, read from global memory, where the team reads it.
INLINE void store_slice(const Item* at, const steps rows[ROW_LOADS], const steps columns[COLUMN_LOADS],
                        __local step_type* tile) {
    barrier(CLK_LOCAL_MEM_FENCE); // the one before is multiplied
#pragma unroll
    for (int i = 0; i < ROW_LOADS; i++) {
        __local step_type* to = tile + at->quad * 4 * ROWS_STRIDE + at->row + i * (TEAM / QUADS);
        to[0] = rows[i].s0;
        to[ROWS_STRIDE] = rows[i].s1;
        to[2 * ROWS_STRIDE] = rows[i].s2;
        to[3 * ROWS_STRIDE] = rows[i].s3;
    }
#pragma unroll
    for (int i = 0; i < COLUMN_LOADS; i++)
        LOCAL(tile + BK * ROWS_STRIDE + (at->item + i * TEAM) * 4) = columns[i];
    barrier(CLK_LOCAL_MEM_FENCE);
}

INLINE void multiply_slice(const Item* at, const __local step_type* tile, steps acc[MR][NV]) {
    const __local step_type* rows = tile + at->m;
    const __local step_type* columns = tile + BK * ROWS_STRIDE + at->n;
#pragma unroll
    for (int s = 0; s < BK; s++) {
        steps v[NV];
#pragma unroll
        for (int j = 0; j < NV; j++) v[j] = LOCAL(columns + s * BN + j * VW);
#pragma unroll
        for (int i = 0; i < MR; i += 4) {
            const steps x = LOCAL(rows + s * ROWS_STRIDE + i);
#pragma unroll
            for (int j = 0; j < NV; j++) {
                MULTIPLY(acc[i][j], x.s0, v[j]);
                MULTIPLY(acc[i + 1][j], x.s1, v[j]);
                MULTIPLY(acc[i + 2][j], x.s2, v[j]);
                MULTIPLY(acc[i + 3][j], x.s3, v[j]);
            }
        }
    }
}

// Adds the teams' sums; those of the first team have them all then.
INLINE void join_teams(const Item* at, __local step_type* memory, steps acc[MR][NV]) {
#if SPLIT > 1
    barrier(CLK_LOCAL_MEM_FENCE);
    __local step_type* place = memory + at->item * VW;
#pragma unroll
    for (int i = 0; i < MR * NV; i++) {
        if (at->team > 0) LOCAL(place + ((at->team - 1) * SUM_VECTORS + i * TEAM) * VW) = acc[i / NV][i % NV];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at->team > 0) return;
#pragma unroll
    for (int i = 0; i < MR * NV; i++) {
#pragma unroll
        for (int t = 0; t < SPLIT - 1; t++)
            acc[i / NV][i % NV] += LOCAL(place + (t * SUM_VECTORS + i * TEAM) * VW);
    }
#endif
}

INLINE void clear_tile(steps acc[MR][NV]) {
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) acc[i][j] = 0;
    }
}
