// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator:    Sign
   input:       x float32
   output:      y like x
   elementwise: y = x > 0 ? 1 : x < 0 ? -1 : 0
*/
