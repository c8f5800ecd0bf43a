// SPDX-License-Identifier: Apache-2.0
// Keeps the LLVM of vendors' libraries (PoCL's, Mesa's) apart from another LLVM in the process.
#ifndef DELEGATE_OPENCL_ICD_H_
#define DELEGATE_OPENCL_ICD_H_

// Opens those libraries that the ICD loader is going to open and that use a shared LLVM, before it does, and
// binds all of their symbols at once, so that nothing that the process loads later gets between them. Where
// it has an LLVM already that everybody is bound to (TensorFlow's wheel exports one; PoCL would crash), they
// are bound to themselves first (RTLD_DEEPBIND). Elsewhere not, because then they would not see a malloc that
// the program has replaced.
void lite_cl_isolate_vendors(void);

#endif
