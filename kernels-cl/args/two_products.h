// SPDX-License-Identifier: Apache-2.0
// The arguments of two_products.cl.
#ifndef KERNELS_CL_ARGS_TWO_PRODUCTS_H_
#define KERNELS_CL_ARGS_TWO_PRODUCTS_H_

// y = after(clamp(bias + row * weights)), twice. Weights are [panels][depth][vectors][VW], biases
// [panels][vectors][VW], filled up with zeros.
typedef struct LiteClTwoProductsArgs {
    int rows;
    int pixels; // of whose channels a row has the means; 1: the pixel itself
    int depth;
    int inner; // columns of the first product, and depth of the second
    int columns;
    int vectors, last_vectors; // of a panel
    int padded;                // columns of all panels of the first product
    float low, high;           // of the first product's results
    float last_low, last_high;
    float options[8];
} LiteClTwoProductsArgs;

#endif
