// SPDX-License-Identifier: Apache-2.0
// Says what is to be heard in a WAV file. For models that take samples and give a score for each class
// (YAMNet ...). A file longer than the model's input is cut into pieces, whose scores are averaged; the last
// piece ends in silence.
#include <stdlib.h>
#include <string.h>

#include "examples/common/classes.h"
#include "examples/common/fail.h"
#include "examples/common/session.h"
#include "examples/common/sound.h"

static const char kUsage[] =
    "classify_audio MODEL SOUND.wav [--labels FILE] [--top COUNT] [--threads COUNT]\n"
    "                      [--delegate opencl[:OPTION=VALUE,...]]";

// The model's metadata tell how many samples a second has.
static bool check_rate(const Session* session, const Options* options, const Sound* sound) {
    const OcliteMetadataTensor* about = session_about_input(session, 0);
    if (about == NULL || about->sample_rate == 0 || about->sample_rate == sound->rate) return true;
    return fail("%s has %u samples a second, and the model takes %u", options->input, sound->rate,
                about->sample_rate);
}

// Runs the model on a piece and adds its scores to `sums`, which is made first.
static bool add_piece(const Session* session, const float* samples, size_t length, float** sums,
                      size_t* count) {
    if (!session_set(session, 0, samples, length) || !session_run(session)) return false;
    float* scores = session_get(session, 0, count);
    if (scores == NULL) return false;
    if (*sums == NULL) {
        *sums = scores;
        return true;
    }
    for (size_t i = 0; i < *count; i++) (*sums)[i] += scores[i];
    free(scores);
    return true;
}

static bool classify(const Session* session, const Options* options, const Sound* sound, const Lines* names) {
    const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(session->interpreter, 0);
    const size_t length = input != NULL ? session_count(input) : 0;
    if (length == 0) return fail("%s: its input takes no samples", session->path);
    float* piece = calloc(length, sizeof *piece);
    float* sums = NULL;
    size_t count = 0, pieces = 0;
    bool good = piece != NULL;
    for (size_t begin = 0; good && begin < sound->count; begin += length, pieces++) {
        const size_t left = sound->count - begin;
        const size_t taken = left < length ? left : length;
        memset(piece, 0, length * sizeof *piece);
        memcpy(piece, sound->samples + begin, taken * sizeof *piece);
        good = add_piece(session, piece, length, &sums, &count);
    }
    for (size_t i = 0; good && i < count; i++) sums[i] /= (float)pieces;
    good = good && classes_print(names, sums, count, options->top);
    free(sums);
    free(piece);
    return good;
}

int main(int argc, char** argv) {
    Options options;
    Session session;
    Sound sound = {0};
    Lines names = {0};
    if (!options_parse(argc, argv, kUsage, &options)) return 2;
    const bool good = session_open(&options, &session) && sound_read(options.input, &sound) &&
                      check_rate(&session, &options, &sound) && classes_read(&session, &options, 0, &names) &&
                      classify(&session, &options, &sound, &names);
    lines_free(&names);
    free(sound.samples);
    session_close(&session);
    return good ? 0 : 1;
}
