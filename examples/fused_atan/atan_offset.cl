// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator:    AtanOffset
   input:       x float32
   input:       offset float32
   output:      y like x
   require:     offset.elements == 1
   elementwise: y = atan(x + offset)
*/
