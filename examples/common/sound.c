// SPDX-License-Identifier: Apache-2.0
// The format in short: the file is a chunk "RIFF" of chunks, each with a name of four characters, its size
// and its contents: "fmt " says how samples are stored, "data" has them.
#include "examples/common/sound.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/fail.h"

enum { PCM = 1, EXTENSIBLE = 0xfffe, FORMAT_BYTES = 16, MAX_CHANNELS = 64 };

static uint32_t number(const uint8_t* bytes, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

static bool read_bytes(const char* path, FILE* file, void* bytes, size_t count) {
    return fread(bytes, 1, count, file) == count || fail("%s: the WAV file ends early", path);
}

// Goes to the contents of the next chunk of this name, and tells their size.
static bool find_chunk(const char* path, FILE* file, const char* name, uint32_t* size) {
    uint8_t head[8];
    while (fread(head, 1, sizeof head, file) == sizeof head) {
        *size = number(head + 4, 4);
        if (memcmp(head, name, 4) == 0) return true;
        if (fseek(file, (long)*size + *size % 2, SEEK_CUR) != 0) break;
    }
    return fail("%s: the WAV file has no part '%s'", path, name);
}

static bool read_samples(const char* path, FILE* file, uint32_t bytes, uint32_t channels, Sound* sound) {
    const size_t frame_bytes = 2 * (size_t)channels;
    uint8_t frame[2 * MAX_CHANNELS];
    sound->count = bytes / frame_bytes;
    // The size is only what the file says: memory grows with what is read.
    for (size_t i = 0, room = 0; i < sound->count; i++) {
        if (i == room) {
            room = room == 0 ? 1 << 16 : 2 * room;
            float* samples = realloc(sound->samples, room * sizeof *samples);
            if (samples == NULL) return fail("%s: out of memory", path);
            sound->samples = samples;
        }
        float sum = 0;
        if (!read_bytes(path, file, frame, frame_bytes)) return false;
        for (uint32_t c = 0; c < channels; c++) sum += (float)(int16_t)number(frame + 2 * (size_t)c, 2);
        sound->samples[i] = sum / (32768.0f * (float)channels);
    }
    return sound->count > 0 || fail("%s: there are no samples in it", path);
}

static bool read_wav(const char* path, FILE* file, Sound* sound) {
    uint8_t head[12], format[FORMAT_BYTES];
    uint32_t size;
    if (fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "RIFF", 4) != 0 ||
        memcmp(head + 8, "WAVE", 4) != 0)
        return fail("%s is no WAV file", path);
    if (!find_chunk(path, file, "fmt ", &size)) return false;
    if (size < FORMAT_BYTES) return fail("%s: the WAV file's format has %u bytes, not 16", path, size);
    if (!read_bytes(path, file, format, FORMAT_BYTES)) return false;
    if (fseek(file, (long)(size - FORMAT_BYTES) + size % 2, SEEK_CUR) != 0)
        return fail("%s: the WAV file ends early", path);
    const uint32_t kind = number(format, 2), channels = number(format + 2, 2), bits = number(format + 14, 2);
    sound->rate = number(format + 4, 4);
    if ((kind != PCM && kind != EXTENSIBLE) || bits != 16 || channels < 1 || channels > MAX_CHANNELS)
        return fail("%s: %u channels of %u bits in format %u; 1 to %d channels of 16-bit PCM can be read",
                    path, channels, bits, kind, MAX_CHANNELS);
    return find_chunk(path, file, "data", &size) && read_samples(path, file, size, channels, sound);
}

bool sound_read(const char* path, Sound* sound) {
    *sound = (Sound){0};
    FILE* file = fopen(path, "rb");
    if (file == NULL) return fail("%s: %s", path, strerror(errno));
    const bool good = read_wav(path, file, sound);
    fclose(file);
    if (good) return true;
    free(sound->samples);
    sound->samples = NULL;
    return false;
}
