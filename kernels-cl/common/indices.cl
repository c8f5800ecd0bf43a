// SPDX-License-Identifier: Apache-2.0

// Is index none of 0 to count - 1? Asked once, of numbers without a sign: Mesa's NIR may compare an int that
// became a long wrongly with a constant.
inline bool is_outside(long index, long count) {
    return (ulong)index >= (ulong)count;
}
