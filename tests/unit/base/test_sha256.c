// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/sha256.h"

static void assert_digest(const LiteBytes* parts, size_t count, const char* expected) {
    unsigned char digest[LITE_SHA256_BYTES];
    char text[2 * LITE_SHA256_BYTES + 1];
    lite_sha256(parts, count, digest);
    for (size_t i = 0; i < LITE_SHA256_BYTES; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(text, expected);
}

// The examples of the standard's authors.
static void known_digests(void** state) {
    (void)state;
    static const char kTwoBlocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_digest(NULL, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_digest(&(LiteBytes){"abc", 3}, 1,
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_digest(&(LiteBytes){kTwoBlocks, sizeof kTwoBlocks - 1}, 1,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char* million = malloc(1000000);
    assert_non_null(million);
    memset(million, 'a', 1000000);
    assert_digest(&(LiteBytes){million, 1000000}, 1,
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

// However bytes are cut into parts; all places where a block can end.
static void parts_do_not_matter(void** state) {
    (void)state;
    unsigned char bytes[200];
    unsigned char whole[LITE_SHA256_BYTES];
    unsigned char parted[LITE_SHA256_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 37);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        lite_sha256(&(LiteBytes){bytes, size}, 1, whole);
        const size_t cut = size / 3;
        const LiteBytes parts[] = {{bytes, cut}, {NULL, 0}, {bytes + cut, size - cut}};
        lite_sha256(parts, 3, parted);
        assert_memory_equal(whole, parted, sizeof whole);
    }
}

// With the processor's instructions, where it has them, and without.
static void instructions_do_not_matter(void** state) {
    enum { kMost = 1000 };
    static unsigned char bytes[kMost], digests[2][kMost][LITE_SHA256_BYTES];
    for (size_t i = 0; i < kMost; i++) bytes[i] = (unsigned char)(i * i >> 3 ^ i * 151);
    for (int fast = 0; fast < 2; fast++) {
        lite_sha256_choose(fast);
        known_digests(state);
        parts_do_not_matter(state);
        for (size_t size = 0; size < kMost; size++)
            lite_sha256(&(LiteBytes){bytes, size}, 1, digests[fast][size]);
    }
    assert_memory_equal(digests[0], digests[1], sizeof digests[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_digests),
        cmocka_unit_test(parts_do_not_matter),
        cmocka_unit_test(instructions_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
