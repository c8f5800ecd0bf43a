// SPDX-License-Identifier: Apache-2.0
// Keeps the LLVM of vendors' libraries (PoCL's, Mesa's) apart from another LLVM in the process.
#ifndef DELEGATE_OPENCL_DEVICE_ICD_H_
#define DELEGATE_OPENCL_DEVICE_ICD_H_

// Opens the vendors' libraries that use a shared LLVM before the ICD loader does, and binds all of their
// symbols at once. So nothing that the process loads later can come between a library and its LLVM. Where the
// process already has an LLVM that all libraries are bound to (TensorFlow's wheel exports one, and PoCL would
// crash), the libraries are bound to themselves first (RTLD_DEEPBIND). This is not done elsewhere, because
// they would then miss a malloc that the program has replaced.
void lite_cl_isolate_vendors(void);

#endif
