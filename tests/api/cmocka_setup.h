// SPDX-License-Identifier: Apache-2.0
// cmocka with the headers that it wants before it.
#ifndef TESTS_API_CMOCKA_SETUP_H_
#define TESTS_API_CMOCKA_SETUP_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#include <cmocka.h>
}
#else
#include <cmocka.h>
#endif

#endif
