// SPDX-License-Identifier: Apache-2.0
#include "core/base/winograd_choice.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static const char* const names[kLiteWinogradChoices] = {
    [kLiteWinogradAuto] = "auto",
    [kLiteWinogradOff] = "off",
    [kLiteWinograd2] = "2x2",
    [kLiteWinograd4] = "4x4",
};

static atomic_int chosen = kLiteWinogradAuto;

const char* lite_winograd_choice_name(LiteWinogradChoice choice) {
    return (unsigned)choice < kLiteWinogradChoices ? names[choice] : NULL;
}

LiteWinogradChoice lite_winograd_choice_find(const char* name) {
    for (int i = 0; name != NULL && i < kLiteWinogradChoices; i++) {
        if (strcmp(name, names[i]) == 0) return (LiteWinogradChoice)i;
    }
    return kLiteWinogradChoices;
}

bool lite_winograd_choose(LiteWinogradChoice choice) {
    if ((unsigned)choice >= kLiteWinogradChoices) return false;
    atomic_store(&chosen, (int)choice);
    return true;
}

LiteWinogradChoice lite_winograd_choice(void) {
    return (LiteWinogradChoice)atomic_load(&chosen);
}
