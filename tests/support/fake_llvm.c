// SPDX-License-Identifier: Apache-2.0
// Stands for a library that exports an LLVM to the whole process, as TensorFlow's wheel does: whoever is
// bound to it dies.
#include <stdlib.h>

void LLVMContextCreate(void);
void LLVMInitializeX86TargetInfo(void);
void LLVMInitializeAArch64TargetInfo(void);

void LLVMContextCreate(void) {
    abort();
}

// What PoCL calls first.
void LLVMInitializeX86TargetInfo(void) {
    abort();
}

void LLVMInitializeAArch64TargetInfo(void) {
    abort();
}
