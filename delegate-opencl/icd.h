// SPDX-License-Identifier: Apache-2.0
// Keeps PoCL's LLVM apart from another LLVM in the process.
#ifndef DELEGATE_OPENCL_ICD_H_
#define DELEGATE_OPENCL_ICD_H_

// Opens the PoCL that the ICD loader is going to open, if it is installed, so that its symbols resolve within
// itself first. In a process whose other libraries export LLVM (TensorFlow does) PoCL otherwise runs half in
// the wrong LLVM and crashes. Call before the ICD loader is used.
void lite_cl_isolate_pocl(void);

#endif
