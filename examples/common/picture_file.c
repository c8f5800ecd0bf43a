// SPDX-License-Identifier: Apache-2.0
// Files of pictures: JPEG by libjpeg, PNG by libpng, BMP here.
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "examples/common/fail.h"
#include "examples/common/picture.h"

enum { MAX_PIXELS = 1 << 26, BMP_HEADER = 54 };

// Gives the picture its size and its memory.
static bool make_room(const char* path, Picture* picture, long width, long height) {
    if (width < 1 || height < 1 || width > MAX_PIXELS / height)
        return fail("%s: a picture of %ld x %ld is too large, or empty", path, width, height);
    picture->width = (int)width;
    picture->height = (int)height;
    picture->pixels = malloc((size_t)(width * height * 3));
    return picture->pixels != NULL || fail("%s: out of memory", path);
}

// ---- JPEG ----

typedef struct JpegErrors {
    struct jpeg_error_mgr manager; // the first member: libjpeg knows no other
    jmp_buf leave;
    char text[JMSG_LENGTH_MAX];
} JpegErrors;

// libjpeg wants its caller not to return from here.
static void on_jpeg_error(j_common_ptr jpeg) {
    JpegErrors* errors = (JpegErrors*)jpeg->err;
    jpeg->err->format_message(jpeg, errors->text);
    longjmp(errors->leave, 1);
}

// Warnings: what is there of a file that ends early would be shown as a picture, partly grey.
static void on_jpeg_message(j_common_ptr jpeg, int level) {
    if (level < 0) on_jpeg_error(jpeg);
}

static bool read_jpeg(const char* path, FILE* file, Picture* picture) {
    struct jpeg_decompress_struct jpeg;
    JpegErrors errors;
    jpeg.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = on_jpeg_error;
    errors.manager.emit_message = on_jpeg_message;
    jpeg_create_decompress(&jpeg);
    if (setjmp(errors.leave) != 0) {
        jpeg_destroy_decompress(&jpeg);
        return fail("%s: %s", path, errors.text);
    }
    jpeg_stdio_src(&jpeg, file);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_RGB;
    jpeg_start_decompress(&jpeg);
    bool good = make_room(path, picture, jpeg.output_width, jpeg.output_height);
    while (good && jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = picture->pixels + (size_t)jpeg.output_scanline * jpeg.output_width * 3;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    if (good) jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return good;
}

// ---- PNG ----

static bool read_png(const char* path, FILE* file, Picture* picture) {
    png_image png = {.version = PNG_IMAGE_VERSION};
    const png_color black = {0, 0, 0};
    bool good = png_image_begin_read_from_stdio(&png, file) != 0;
    png.format = PNG_FORMAT_RGB;
    if (good && !make_room(path, picture, png.width, png.height)) {
        png_image_free(&png);
        return false;
    }
    good = good && png_image_finish_read(&png, &black, picture->pixels, 0, NULL) != 0;
    // A warning, of a wrong checksum for example, is no picture either.
    if (good && png.warning_or_error == 0) return true;
    fail("%s: %s", path, png.message);
    png_image_free(&png);
    return false;
}

bool picture_write(const char* path, const Picture* picture) {
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)picture->width,
                     .height = (png_uint_32)picture->height,
                     .format = PNG_FORMAT_RGB};
    if (png_image_write_to_file(&png, path, 0, picture->pixels, 0, NULL) != 0) return true;
    return fail("%s: %s", path, png.message);
}

// ---- BMP ----

// A number of four bytes, the lowest first.
static long number(const uint8_t* bytes) {
    return (int32_t)((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24);
}

// Uncompressed ones of 8 (grey), 24 or 32 bits for each pixel.
static bool read_bmp(const char* path, FILE* file, Picture* picture) {
    uint8_t head[BMP_HEADER];
    if (fread(head, 1, sizeof head, file) != sizeof head) return fail("%s: the BMP file ends early", path);
    const long width = number(head + 18), signed_height = number(head + 22);
    const long height = labs(signed_height), bytes = head[28] / 8; // the height is negative: rows go down
    if (bytes != 1 && bytes != 3 && bytes != 4)
        return fail("%s: a BMP file of %d bits for each pixel; 8, 24 and 32 can be read", path, head[28]);
    if (!make_room(path, picture, width, height)) return false;
    const long row_bytes = (bytes * width + 3) / 4 * 4;
    uint8_t* row = malloc((size_t)row_bytes);
    bool good = row != NULL && fseek(file, number(head + 10), SEEK_SET) == 0;
    for (long y = 0; good && y < height; y++) {
        uint8_t* pixel = picture->pixels + (signed_height < 0 ? y : height - 1 - y) * width * 3;
        good = fread(row, 1, (size_t)row_bytes, file) == (size_t)row_bytes;
        for (long x = 0; good && x < width; x++) {
            // Blue comes first in the file.
            for (int c = 2; c >= 0; c--) *pixel++ = row[x * bytes + (bytes == 1 ? 0 : c)];
        }
    }
    free(row);
    return good || fail("%s: the BMP file ends early, or memory does", path);
}

// ---- All ----

bool picture_read(const char* path, Picture* picture) {
    uint8_t mark[8] = {0};
    *picture = (Picture){0};
    FILE* file = fopen(path, "rb");
    if (file == NULL) return fail("%s: %s", path, strerror(errno));
    const size_t length = fread(mark, 1, sizeof mark, file);
    bool good = false;
    if (fseek(file, 0, SEEK_SET) != 0) {
        fail("%s: %s", path, strerror(errno));
    } else if (length == sizeof mark && memcmp(mark, "\x89PNG\r\n\x1a\n", sizeof mark) == 0) {
        good = read_png(path, file, picture);
    } else if (length > 3 && memcmp(mark, "\xff\xd8\xff", 3) == 0) {
        good = read_jpeg(path, file, picture);
    } else if (length > 2 && memcmp(mark, "BM", 2) == 0) {
        good = read_bmp(path, file, picture);
    } else {
        fail("%s is no picture: JPEG, PNG and BMP files can be read", path);
    }
    fclose(file);
    if (good) return true;
    free(picture->pixels);
    *picture = (Picture){0};
    return false;
}
