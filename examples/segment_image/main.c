// SPDX-License-Identifier: Apache-2.0
// Finds which class each pixel of a picture belongs to, and writes a copy of it in which each class has a
// colour. For models that give scores of classes for pixels (DeepLab ...).
#include <stdio.h>
#include <stdlib.h>

#include "examples/common/classes.h"
#include "examples/common/fail.h"
#include "examples/common/session.h"

static const char kUsage[] =
    "segment_image MODEL PICTURE [--out RESULT.png] [--labels FILE] [--mean NUMBER] [--std NUMBER]\n"
    "                     [--threads COUNT] [--delegate opencl[:OPTION=VALUE,...]]";

// The class of each pixel of the model's output.
typedef struct Areas {
    int width;
    int height;
    int classes;
    int* of; // released with free()
} Areas;

static bool find_areas(const Session* session, Areas* areas) {
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(session->interpreter, 0);
    if (output == NULL || TfLiteTensorNumDims(output) != 4 || session_length(output, 0) != 1)
        return fail("%s: its output is not scores of the classes of pixels", session->path);
    areas->height = session_length(output, 1);
    areas->width = session_length(output, 2);
    areas->classes = session_length(output, 3);
    size_t count;
    float* scores = session_get(session, 0, &count);
    areas->of = scores != NULL ? calloc(count + 1, sizeof *areas->of) : NULL;
    for (int i = 0; areas->of != NULL && i < areas->width * areas->height; i++) {
        const float* score = scores + (size_t)i * (size_t)areas->classes;
        for (int c = 1; c < areas->classes; c++) {
            if (score[c] > score[areas->of[i]]) areas->of[i] = c;
        }
    }
    free(scores);
    return areas->of != NULL;
}

// Prints how much of the picture each class covers.
static bool print_shares(const Areas* areas, const Lines* names) {
    const int pixels = areas->width * areas->height;
    if (names->count < areas->classes)
        return fail("there are %d names of classes, and the model tells %d scores", names->count,
                    areas->classes);
    for (int c = 0; c < areas->classes; c++) {
        int count = 0;
        for (int i = 0; i < pixels; i++) count += areas->of[i] == c;
        if (count > 0) printf("%5.1f %% %s\n", 100.0 * count / pixels, names->items[c]);
    }
    return true;
}

// Mixes each pixel with the colour of its class, but for the background, class 0.
static void paint(const Areas* areas, Picture* picture) {
    for (long y = 0; y < picture->height; y++) {
        for (long x = 0; x < picture->width; x++) {
            const long row = y * areas->height / picture->height, column = x * areas->width / picture->width;
            const int class = areas->of[row * areas->width + column];
            uint8_t* pixel = picture->pixels + (y * picture->width + x) * 3;
            uint8_t colour[3];
            picture_colour(class, colour);
            for (int c = 0; c < 3 && class > 0; c++) pixel[c] = (uint8_t)((pixel[c] + colour[c]) / 2);
        }
    }
}

int main(int argc, char** argv) {
    Options options;
    Session session;
    Picture picture = {0};
    Lines names = {0};
    Areas areas = {0};
    if (!options_parse(argc, argv, kUsage, &options)) return 2;
    bool good = session_open(&options, &session) && picture_read(options.input, &picture) &&
                classes_read(&session, &options, 0, &names) &&
                session_set_picture(&session, &options, &picture) && session_run(&session) &&
                find_areas(&session, &areas) && print_shares(&areas, &names);
    if (good && options.out != NULL) {
        paint(&areas, &picture);
        good = picture_write(options.out, &picture);
    }
    free(areas.of);
    lines_free(&names);
    free(picture.pixels);
    session_close(&session);
    return good ? 0 : 1;
}
