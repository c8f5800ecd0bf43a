// SPDX-License-Identifier: Apache-2.0
// Says what is on a picture. For models that give a score for each class, float or quantized (MobileNet,
// EfficientNet ...). How to normalize the picture and what the classes are called come from the model's
// metadata, or from options.
#include <stdlib.h>

#include "examples/common/classes.h"
#include "examples/common/fail.h"
#include "examples/common/session.h"

static const char kUsage[] =
    "label_image MODEL PICTURE [--labels FILE] [--mean NUMBER] [--std NUMBER] [--top COUNT]\n"
    "                   [--threads COUNT] [--delegate opencl[:OPTION=VALUE,...]]";

// Runs the model on the picture and prints the best classes.
static bool label(const Session* session, const Options* options, const Picture* picture,
                  const Lines* names) {
    size_t count = 0;
    if (!session_set_picture(session, options, picture)) return false;
    if (!session_run(session)) return false;
    float* scores = session_get(session, 0, &count);
    const bool good = scores != NULL && classes_print(names, scores, count, options->top);
    free(scores);
    return good;
}

int main(int argc, char** argv) {
    Options options;
    Session session;
    Picture picture = {0};
    Lines names = {0};
    if (!options_parse(argc, argv, kUsage, &options)) return 2;
    const bool good = session_open(&options, &session) && picture_read(options.input, &picture) &&
                      classes_read(&session, &options, 0, &names) &&
                      label(&session, &options, &picture, &names);
    lines_free(&names);
    free(picture.pixels);
    session_close(&session);
    return good ? 0 : 1;
}
