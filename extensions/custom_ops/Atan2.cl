// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator:    Atan2
   input:       y float32
   input:       x float32
   output:      angle like y
   require:     y.rank == x.rank && y.elements == x.elements
   elementwise: angle = atan2(y, x)
*/
