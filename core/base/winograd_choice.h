// SPDX-License-Identifier: Apache-2.0
// Whether convolutions of floats by filters of 3 x 3 may save multiplications (Winograd's way). The process
// has one choice; kernels ask for it when they prepare a node.
#ifndef CORE_BASE_WINOGRAD_CHOICE_H_
#define CORE_BASE_WINOGRAD_CHOICE_H_

#include <stdbool.h>

typedef enum LiteWinogradChoice {
    kLiteWinogradAuto, // where it is faster
    kLiteWinogradOff,
    kLiteWinograd2, // everywhere, with tiles of 2 x 2 outputs
    kLiteWinograd4, // the same of 4 x 4
    kLiteWinogradChoices
} LiteWinogradChoice;

// The name that programs use; NULL when there is no such choice.
const char* lite_winograd_choice_name(LiteWinogradChoice choice);

// The choice of that name; kLiteWinogradChoices when there is none.
LiteWinogradChoice lite_winograd_choice_find(const char* name);

// false, and nothing changes, when there is no such choice.
bool lite_winograd_choose(LiteWinogradChoice choice);

// At first kLiteWinogradAuto.
LiteWinogradChoice lite_winograd_choice(void);

#endif
