// SPDX-License-Identifier: Apache-2.0
// Keeps the LLVM of OpenCL drivers apart from another LLVM in the process.
#ifndef DELEGATE_OPENCL_DEVICE_ICD_H_
#define DELEGATE_OPENCL_DEVICE_ICD_H_

// Opens every driver that the ICD loader will find, before the loader does, and binds all of its symbols at
// once. So nothing that the process loads later can come between a driver and its LLVM. Where the process
// already has an LLVM that all libraries are bound to (TensorFlow's wheel exports one, and PoCL and Mesa
// would crash), the drivers are bound to themselves first (RTLD_DEEPBIND). This is not done elsewhere,
// because they would then miss a malloc that the program has replaced. A driver that does not use LLVM is
// opened in the same way: which one does is known only after its constructors have run.
void lite_cl_isolate_vendors(void);

#endif
