// SPDX-License-Identifier: Apache-2.0
#include "core/base/opencl_packages.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUSTICL(driver) "mesa-opencl-icd, with RUSTICL_ENABLE=" driver " in the environment"

// By the kernel's driver, as device/uevent names it.
static const struct {
    const char* driver;
    const char* package;
} known[] = {
    {"i915", "intel-opencl-icd"},
    {"xe", "intel-opencl-icd"},
    {"amdgpu", RUSTICL("radeonsi") ", or AMD's ROCm"},
    {"radeon", RUSTICL("r600,radeonsi")},
    {"nvidia", "nvidia-opencl-icd, which belongs to NVIDIA's driver"},
    {"nouveau", "nvidia-opencl-icd with NVIDIA's driver"},
    {"panfrost", RUSTICL("panfrost") ", or Arm's own driver"},
    {"panthor", RUSTICL("panfrost") ", or Arm's own driver"},
    {"v3d", RUSTICL("v3d")},
    {"msm", RUSTICL("freedreno") ", or Qualcomm's own driver"},
    {"asahi", RUSTICL("asahi")},
};
enum { KNOWN = sizeof known / sizeof known[0] };

// "DRIVER=i915" of the card; false without one.
static bool read_driver(const char* folder, const char* card, char driver[64]) {
    char path[PATH_MAX], line[128];
    bool found = false;
    const int length = snprintf(path, sizeof path, "%s/%s/device/uevent", folder, card);
    FILE* file = length < (int)sizeof path ? fopen(path, "re") : NULL;
    if (file == NULL) return false;
    while (!found && fgets(line, sizeof line, file) != NULL) found = sscanf(line, "DRIVER=%63s", driver) == 1;
    fclose(file);
    return found;
}

const char* lite_opencl_hardware(const char* folder, char text[LITE_OPENCL_HARDWARE]) {
    char driver[64];
    text[0] = '\0';
    DIR* cards = opendir(folder);
    if (cards == NULL) return text;
    for (const struct dirent* card; text[0] == '\0' && (card = readdir(cards)) != NULL;) {
        const bool is_card =
            strncmp(card->d_name, "card", 4) == 0 || strncmp(card->d_name, "renderD", 7) == 0;
        if (!is_card || !read_driver(folder, card->d_name, driver)) continue;
        for (int i = 0; i < KNOWN; i++) {
            if (strcmp(known[i].driver, driver) == 0)
                snprintf(text, LITE_OPENCL_HARDWARE, "; for the GPU of this machine (%s): %s", driver,
                         known[i].package);
        }
    }
    closedir(cards);
    return text;
}

const char* lite_opencl_enabling(const char* platform, char text[LITE_OPENCL_HARDWARE]) {
    const char* enabled = getenv("RUSTICL_ENABLE");
    text[0] = '\0';
    if (strcmp(platform, "rusticl") != 0) return text;
    if (enabled == NULL || enabled[0] == '\0') {
        snprintf(
            text, LITE_OPENCL_HARDWARE,
            "; Mesa's rusticl shows no device without RUSTICL_ENABLE in the environment, which names its "
            "driver (radeonsi, panfrost, v3d; llvmpipe for any CPU)");
    } else {
        snprintf(text, LITE_OPENCL_HARDWARE, "; Mesa's rusticl shows no device with RUSTICL_ENABLE=%.60s",
                 enabled);
    }
    return text;
}
