// SPDX-License-Identifier: Apache-2.0
// The folder that keeps verdicts, for later processes.
#ifndef DELEGATE_OPENCL_SELFTEST_STORE_H_
#define DELEGATE_OPENCL_SELFTEST_STORE_H_

#include "delegate-opencl/selftest/verdicts.h"

// `cache_dir` where it is not empty; else lite_cache_home. Owned by the caller; NULL: there is none.
char* lite_cl_selftest_folder(const char* cache_dir);

// Adds the verdicts that the folder has, once; what is no text of verdicts counts as nothing. Neither needs
// the folder to be there.
void lite_cl_selftest_load(const char* folder, LiteClVerdicts* verdicts);
// `merges`: what others have written meanwhile is added first, and stays in the folder.
void lite_cl_selftest_store(const char* folder, LiteClVerdicts* verdicts, bool merges);

// lite_cl_verdicts_put for lite_cl_child_try; `verdicts` are LiteClVerdicts.
void lite_cl_selftest_keep(void* verdicts, const LiteClVerdict* verdict);

#endif
