// SPDX-License-Identifier: Apache-2.0
// Sounds from WAV files.
#ifndef EXAMPLES_COMMON_SOUND_H_
#define EXAMPLES_COMMON_SOUND_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Sound {
    uint32_t rate; // samples in a second
    size_t count;
    float* samples; // from -1 to 1; released with free()
} Sound;

// Reads a file of 16-bit samples; several channels become one, their mean. Returns false, with a message,
// when it cannot be read.
bool sound_read(const char* path, Sound* sound);

#endif
