// SPDX-License-Identifier: Apache-2.0
// A fault of Oclgrind 21.10, shown by `oclgrind-kernel oclgrind_widening.sim`: y is 0 0 255 255 and not 0 0 1
// 1, which it is with `--build-options -cl-opt-disable`. LLVM makes the conditional a zext of <4 x i1>.
__kernel void widening(__global const int* x, __global int* y) {
    vstore4(vload4(0, x) > (int4)1 ? (int4)1 : (int4)0, 0, y);
}
