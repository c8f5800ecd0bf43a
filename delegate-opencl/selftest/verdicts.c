// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/verdicts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/left_out.h"

const char* const lite_cl_trial_words[LITE_CL_TRIALS] = {
    [kLiteClTrialUntried] = "untried", [kLiteClTrialRight] = "right", [kLiteClTrialUntaken] = "untaken",
    [kLiteClTrialWrong] = "wrong",     [kLiteClTrialFails] = "fails", [kLiteClTrialCrashes] = "crashes",
    [kLiteClTrialHangs] = "hangs"};

static LiteClVerdicts* tables;
static LiteLock tables_lock = LITE_LOCK_INITIALIZER;

static LiteClVerdicts* create(const char* identity) {
    LiteClVerdicts* verdicts = lite_calloc(1, sizeof *verdicts);
    if (verdicts == NULL) return NULL;
    verdicts->identity = lite_strdup(identity);
    if (verdicts->identity == NULL) {
        lite_free(verdicts);
        return NULL;
    }
    lite_lock_init(&verdicts->running);
    lite_lock_init(&verdicts->lock);
    return verdicts;
}

LiteClVerdicts* lite_cl_verdicts_of(const char* identity) {
    lite_lock(&tables_lock);
    LiteClVerdicts* verdicts = tables;
    while (verdicts != NULL && strcmp(verdicts->identity, identity) != 0) verdicts = verdicts->next;
    if (verdicts == NULL && (verdicts = create(identity)) != NULL) {
        verdicts->next = tables;
        tables = verdicts;
    }
    lite_unlock(&tables_lock);
    return verdicts;
}

// When the library is unloaded, or the process ends.
#if LITE_CL_HAS_SELFTEST
__attribute__((destructor)) static void free_tables(void) {
    while (tables != NULL) {
        LiteClVerdicts* verdicts = tables;
        tables = verdicts->next;
        lite_free(verdicts->identity);
        lite_free(verdicts->rows);
        lite_free(verdicts);
    }
}
#endif

bool lite_cl_trial_is_bad(LiteClTrial trial) {
    return trial >= kLiteClTrialWrong;
}

// With the lock held.
static LiteClVerdict* find(const LiteClVerdicts* verdicts, const char* name) {
    for (int i = 0; i < verdicts->count; i++) {
        if (strcmp(verdicts->rows[i].name, name) == 0) return &verdicts->rows[i];
    }
    return NULL;
}

bool lite_cl_verdicts_find(LiteClVerdicts* verdicts, const char* name, LiteClVerdict* verdict) {
    lite_lock(&verdicts->lock);
    const LiteClVerdict* found = find(verdicts, name);
    *verdict = found != NULL ? *found : (LiteClVerdict){.trial = kLiteClTrialUntried};
    lite_unlock(&verdicts->lock);
    return found != NULL;
}

bool lite_cl_verdicts_put(LiteClVerdicts* verdicts, const LiteClVerdict* verdict) {
    lite_lock(&verdicts->lock);
    LiteClVerdict* row = find(verdicts, verdict->name);
    if (row == NULL && verdicts->rows == NULL)
        verdicts->rows = lite_calloc(LITE_CL_MOST_VERDICTS, sizeof *verdicts->rows);
    if (row == NULL && verdicts->rows != NULL && verdicts->count < LITE_CL_MOST_VERDICTS)
        row = &verdicts->rows[verdicts->count++];
    if (row != NULL) *row = *verdict;
    lite_unlock(&verdicts->lock);
    return row != NULL;
}

void lite_cl_verdicts_forget(LiteClVerdicts* verdicts) {
    lite_lock(&verdicts->lock);
    LiteClVerdict* device = find(verdicts, LITE_CL_DEVICE_TRIAL);
    if (device != NULL) verdicts->rows[0] = *device;
    verdicts->count = device != NULL ? 1 : 0;
    lite_unlock(&verdicts->lock);
}

LiteClVerdict* lite_cl_verdicts_copy(LiteClVerdicts* verdicts, int* count) {
    lite_lock(&verdicts->lock);
    LiteClVerdict* copy = lite_malloc((size_t)verdicts->count * sizeof *copy + 1);
    *count = copy != NULL ? verdicts->count : 0;
    for (int i = 0; i < *count; i++) copy[i] = verdicts->rows[i];
    lite_unlock(&verdicts->lock);
    return copy;
}

// ---- Lines ----

// Whatever the locale says.
static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_name(const char* text, size_t length) {
    if (length == 0 || length >= LITE_CL_TRIAL_NAME) return false;
    for (size_t i = 0; i < length; i++) {
        if (!is_letter(text[i])) return false;
    }
    return true;
}

static bool is_printable(char c) {
    return c >= ' ' && c <= '~';
}

bool lite_cl_verdict_read(const char* line, size_t length, LiteClVerdict* verdict) {
    const char* end = line + length;
    const char* name = memchr(line, ' ', length);
    if (name == NULL) return false;
    const size_t word = (size_t)(name++ - line);
    int trial = 0;
    while (trial < LITE_CL_TRIALS && (strlen(lite_cl_trial_words[trial]) != word ||
                                      memcmp(lite_cl_trial_words[trial], line, word) != 0))
        trial++;
    const char* detail = memchr(name, ' ', (size_t)(end - name));
    const size_t name_length = (size_t)((detail != NULL ? detail : end) - name);
    if (trial == LITE_CL_TRIALS || trial == kLiteClTrialUntried || !is_name(name, name_length)) return false;
    const size_t detail_length = detail != NULL ? (size_t)(end - ++detail) : 0;
    if (detail_length >= LITE_CL_TRIAL_DETAIL || (detail != NULL && detail_length == 0)) return false;
    *verdict = (LiteClVerdict){.trial = (LiteClTrial)trial};
    memcpy(verdict->name, name, name_length);
    for (size_t i = 0; i < detail_length; i++) {
        if (!is_printable(detail[i])) return false;
        verdict->detail[i] = detail[i];
    }
    return true;
}

void lite_cl_verdict_write(const LiteClVerdict* verdict, LiteText* text) {
    lite_text_add(text, "%s %s%s%s\n", lite_cl_trial_words[verdict->trial], verdict->name,
                  verdict->detail[0] != '\0' ? " " : "", verdict->detail);
}

void lite_cl_verdict_detail(LiteClVerdict* verdict, const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(verdict->detail, sizeof verdict->detail, format, args);
    va_end(args);
    for (char* c = verdict->detail; *c != '\0'; c++) {
        if (!is_printable(*c)) *c = *c == '\n' ? ' ' : '?';
    }
}

bool lite_cl_verdicts_read(LiteClVerdicts* verdicts, const char* text, size_t size, bool replaces) {
    const char* end = text + size;
    LiteClVerdict verdict, has;
    for (int pass = 0; pass < 2; pass++) { // all are read before the first one is added
        int count = 0;
        for (const char* line = text; line < end; count++) {
            const char* stop = memchr(line, '\n', (size_t)(end - line));
            if (stop == NULL || count == LITE_CL_MOST_VERDICTS) return false;
            if (!lite_cl_verdict_read(line, (size_t)(stop - line), &verdict)) return false;
            (void)lite_cl_verdicts_find(verdicts, verdict.name, &has);
            if (pass == 1 && (replaces || has.trial == kLiteClTrialUntried))
                (void)lite_cl_verdicts_put(verdicts, &verdict);
            line = stop + 1;
        }
    }
    return true;
}

void lite_cl_verdicts_write(LiteClVerdicts* verdicts, LiteText* text) {
    lite_lock(&verdicts->lock);
    for (int i = 0; i < verdicts->count; i++) {
        if (verdicts->rows[i].trial != kLiteClTrialUntried) lite_cl_verdict_write(&verdicts->rows[i], text);
    }
    lite_unlock(&verdicts->lock);
}
