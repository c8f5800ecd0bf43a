// SPDX-License-Identifier: Apache-2.0
// Four bytes times four, added up: an instruction of PTX (dp4a), for which NVIDIA's OpenCL has no function.
// Not in builds of selected operators.
#ifdef NVIDIA_DOTS
inline int nvidia_dot(int sum, int x, int w) {
    __asm__("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(w));
    return sum;
}

inline int4 nvidia_dots(int4 sums, int4 x, int4 w) {
    return (int4)(nvidia_dot(sums.s0, x.s0, w.s0), nvidia_dot(sums.s1, x.s1, w.s1),
                  nvidia_dot(sums.s2, x.s2, w.s2), nvidia_dot(sums.s3, x.s3, w.s3));
}
#endif
