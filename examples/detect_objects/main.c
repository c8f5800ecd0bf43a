// SPDX-License-Identifier: Apache-2.0
// Finds objects in a picture, and writes a copy of it with a box around each. For models that end in the
// operator TFLite_Detection_PostProcess (SSD MobileNet, EfficientDet ...), whose outputs are boxes, classes,
// scores and their number.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "examples/common/classes.h"
#include "examples/common/fail.h"
#include "examples/common/session.h"

static const char kUsage[] =
    "detect_objects MODEL PICTURE [--out RESULT.png] [--threshold SCORE] [--labels FILE]\n"
    "                      [--mean NUMBER] [--std NUMBER] [--threads COUNT]\n"
    "                      [--delegate opencl[:OPTION=VALUE,...]]";

enum { BOXES, CLASSES, SCORES, COUNT, OUTPUTS, THICKNESS = 3 };

static const float kUsualThreshold = 0.5f;

// Which scores count: those that the option or the model's metadata ask for.
static float least_score(const Session* session, const Options* options) {
    const OcliteMetadataTensor* about = session_about_output(session, SCORES);
    if (!isnan(options->threshold)) return (float)options->threshold;
    return about != NULL && about->has_score_threshold ? about->score_threshold : kUsualThreshold;
}

// A part of a length, from 0 to 1, as a pixel that lies inside.
static int pixel(float part, int length) {
    return (int)(fminf(fmaxf(part, 0), 1) * (float)length + 0.5f);
}

// Prints and draws the object of number `i`: its box is top, left, bottom and right, as parts of the picture.
static bool show(float* const values[OUTPUTS], int i, const Lines* names, Picture* picture) {
    const float* box = values[BOXES] + 4 * (size_t)i;
    const int top = pixel(box[0], picture->height), left = pixel(box[1], picture->width);
    const int bottom = pixel(box[2], picture->height), right = pixel(box[3], picture->width);
    const float number = values[CLASSES][i];
    if (!(number >= 0 && number < (float)names->count))
        return fail("the model found class %g, and there are %d names of classes", (double)number,
                    names->count);
    const int class = (int)number;
    printf("%.4f %s, %d,%d to %d,%d\n", (double)values[SCORES][i], names->items[class], left, top, right,
           bottom);
    uint8_t colour[3];
    picture_colour(class + 1, colour);
    picture_frame(picture, top, left, bottom, right, THICKNESS, colour);
    return true;
}

// Are there as many boxes as classes and scores?
static bool fits(const Session* session, const size_t counts[OUTPUTS], float found) {
    if (counts[BOXES] == 4 * counts[SCORES] && counts[CLASSES] == counts[SCORES] && counts[COUNT] == 1 &&
        found >= 0 && found <= (float)counts[SCORES])
        return true;
    return fail("%s has outputs of %zu, %zu, %zu and %zu values; boxes, classes, scores and their number are "
                "expected",
                session->path, counts[BOXES], counts[CLASSES], counts[SCORES], counts[COUNT]);
}

static bool show_all(const Session* session, const Options* options, const Lines* names, Picture* picture) {
    float* values[OUTPUTS] = {NULL};
    size_t counts[OUTPUTS] = {0};
    bool good = true;
    for (int i = 0; i < OUTPUTS && good; i++) {
        values[i] = session_get(session, i, &counts[i]);
        good = values[i] != NULL;
    }
    good = good && fits(session, counts, values[COUNT][0]);
    const int found = good ? (int)values[COUNT][0] : 0;
    const float least = least_score(session, options);
    for (int i = 0; i < found && good; i++) {
        if (values[SCORES][i] >= least) good = show(values, i, names, picture);
    }
    for (int i = 0; i < OUTPUTS; i++) free(values[i]);
    return good;
}

int main(int argc, char** argv) {
    Options options;
    Session session;
    Picture picture = {0};
    Lines names = {0};
    if (!options_parse(argc, argv, kUsage, &options)) return 2;
    bool good = session_open(&options, &session) && picture_read(options.input, &picture) &&
                classes_read(&session, &options, CLASSES, &names) &&
                session_set_picture(&session, &options, &picture) && session_run(&session) &&
                show_all(&session, &options, &names, &picture);
    if (good && options.out != NULL) good = picture_write(options.out, &picture);
    lines_free(&names);
    free(picture.pixels);
    session_close(&session);
    return good ? 0 : 1;
}
