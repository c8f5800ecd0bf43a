// SPDX-License-Identifier: Apache-2.0
// The arguments of the kernels that go along one axis, see common/rows.cl.
#ifndef KERNELS_CL_ARGS_ROWS_H_
#define KERNELS_CL_ARGS_ROWS_H_

// Rows along an axis: element (o, k, i) of [outer][length][inner].
typedef struct LiteClAxisArgs {
    int outer;
    int length;
    int inner;
    int exclusive; // CUMSUM
    int reverse;   //
    float bias;    // LOCAL_RESPONSE_NORMALIZATION
    float alpha;
    float beta;
    int radius;
    int k;              // TOPK_V2
    int zero_x, zero_y; // L2_NORMALIZATION
} LiteClAxisArgs;

#endif
