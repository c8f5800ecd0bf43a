// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/micro/micro.h"

#include "kernels-cpu/micro/levels.h"

const LiteMicro* lite_micro_level(LiteCpuPath level) {
    static const LiteMicro* const levels[kLiteCpuPaths] = {
        [kLiteCpuReference] = &lite_micro_reference,
#define CPU_PATH(Name, name) [kLiteCpu##Name] = &lite_micro_##name,
#include "core/cpu_paths.def"
    };
    return lite_cpu_path_available(level) ? levels[level] : NULL;
}

const LiteMicro* lite_micro(void) {
    return lite_micro_level(lite_cpu_level());
}
