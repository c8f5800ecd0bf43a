// SPDX-License-Identifier: Apache-2.0
// Kernels are declared as KERNEL name(ITEM ...), so that they can also be functions of a series
// (kernels-cl/series.cl), which tells them the item they are to compute. Work-groups are of one item there.
// Prelude of a program that is part of a series: IN_SERIES, and other names for its kernels.
typedef struct LiteClItem {
    uint id[3];
    uint size[3];
} LiteClItem;

#ifdef IN_SERIES
#define KERNEL void
#define ITEM const LiteClItem lite_item,
#define get_global_id(d) lite_item.id[d]
#define get_global_size(d) lite_item.size[d]
#define get_group_id(d) lite_item.id[d]
#define get_local_id(d) 0
#define barrier(fence)
// Functions of other programs have the same names.
#undef inline
#define inline static
#else
#define KERNEL __kernel void
#define ITEM
#endif
