// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator:    SoftClip
   input:       x float32|float16
   output:      y like x
   option:      limit float = 1
   elementwise: y = limit * tanh(x / limit)
*/
