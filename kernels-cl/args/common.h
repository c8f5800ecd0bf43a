// SPDX-License-Identifier: Apache-2.0
// What the arguments of several kernels have.
//
// Each kernel has shapes, strides and parameters in one struct, its first argument. The headers in this
// folder are compiled by C and by OpenCL C, so structs have only int and float (32 bits in both) and arrays
// of them. Counts and offsets are in elements and stay below 2^31 (the delegate refuses larger tensors).
//
// Of a struct of at most 16 bytes each eight, or what is left, have an int: then it is passed as one of ints
// is, which is all that a series (kernels-cl/series.cl) knows of it.
//
// A kernel that indexes an array in its struct with a value known only at run time copies the struct first
// (`const LiteClMoveArgs a = args;`): a driver may keep arguments where it reads only places that it knows
// when it compiles, and Mesa's llvmpipe ends the process at others. scripts/lint_kernels.py holds this.
#ifndef KERNELS_CL_ARGS_COMMON_H_
#define KERNELS_CL_ARGS_COMMON_H_

#define LITE_CL_RANK 8

// A real factor in fixed point, see core/semantics/quant.h: value * 2^(shift - 31).
typedef struct LiteClMultiplier {
    int value;
    int shift;
} LiteClMultiplier;

#endif
