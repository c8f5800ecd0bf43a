// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator:    Atan
   input:       x float32|float16
   output:      y like x
   elementwise: y = atan(x)
*/
