// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator: Table
   input:    x int8|int16
   input:    table int8|int16
   output:   y like x
   require:  table.rank == 1
   require:  table.elements == 256 || x.zero_point == 0 && y.zero_point == 0
   kernel:   look_up(x, table, y, status, int table.elements)
   work:     x.elements
*/

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

char at_char(__global const TYPE_table* table, int value) {
    return table[value + 128];
}

// A table of every 128th value, on lines between which the others lie. The slope wraps around.
short at_short(__global const TYPE_table* table, int value) {
    const int at = value + 32768, part = at % 128, base = table[at / 128];
    const short slope = (short)(table[at / 128 + 1] - base);
    return (short)(base + ((slope * part + 64) >> 7));
}

// Item: an element.
__kernel void look_up(__global const TYPE_x* x, __global const TYPE_table* table, __global TYPE_x* y,
                      __global int* status, int node, int size) {
    const size_t i = get_global_id(0);
    if (sizeof(TYPE_x) == sizeof(TYPE_table) && size == (sizeof(TYPE_x) == 1 ? 256 : 513)) {
        y[i] = JOIN(at_, TYPE_x)(table, x[i]);
    } else {
        atomic_max(status, node);
    }
}
