// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/account.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "delegate-opencl/partition/account_text.h"

// ---- The file ----

static int open_file(const char* path, bool* is_regular) {
    struct stat info;
    // A pipe that nobody reads would keep the program waiting.
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (file < 0) return -1;
    const bool is_known = fstat(file, &info) == 0;
    *is_regular = is_known && S_ISREG(info.st_mode);
    if (*is_regular || (is_known && S_ISCHR(info.st_mode))) return file;
    close(file);
    errno = EINVAL;
    return -1;
}

TfLiteStatus lite_cl_account_init(LiteClAccount* account, bool verbose, const char* path,
                                  const LiteReporter* reporter) {
    *account = (LiteClAccount){.verbose = verbose, .file = -1};
    account->forks = lite_fork_count();
    lite_lock_init(&account->lock);
    if (path == NULL || path[0] == '\0') return kTfLiteOk;
    account->file = open_file(path, &account->is_regular);
    if (account->file >= 0) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: option report: \"%s\" cannot be written: %s", path,
                       strerror(errno));
}

void lite_cl_account_destroy(LiteClAccount* account) {
    if (account->file >= 0) close(account->file);
    for (int k = 0; k < account->kernel_count; k++) lite_cl_account_kernel_free(&account->kernels[k]);
    lite_free(account->kernels);
    lite_lock_destroy(&account->lock);
    *account = (LiteClAccount){.file = -1};
}

bool lite_cl_account_is_open(const LiteClAccount* account) {
    if (account->forks != lite_fork_count()) return false; // the file is the parent's
    return account->verbose || account->file >= 0;
}

// An errno number on failure.
static int put(int file, bool is_regular, const char* data, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t written = is_regular ? pwrite(file, data + done, size - done, (off_t)done)
                                           : write(file, data + done, size - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        done += (size_t)written;
    }
    return is_regular && ftruncate(file, (off_t)size) != 0 ? errno : 0;
}

// Writes all that is known, with the mutex held. An errno number on failure.
static int write_file(LiteClShared* shared) {
    const LiteClAccount* account = &shared->account;
    LiteText text = {0};
    lite_cl_account_json(shared, &text);
    const int error = text.failed ? ENOMEM : put(account->file, account->is_regular, text.data, text.length);
    lite_text_free(&text);
    return error;
}

static TfLiteStatus update_file(LiteClShared* shared, const LiteReporter* reporter) {
    if (!shared->account.is_regular) return kTfLiteOk;
    const int error = write_file(shared);
    if (error == 0) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: option report: \"%s\" cannot be written: %s",
                       shared->options.report, strerror(error));
}

// ---- The standard error ----

static void print(const LiteClAccount* account, LiteText* text) {
    if (account->verbose && !text->failed && text->data != NULL) fputs(text->data, stderr);
    lite_text_free(text);
}

// ---- Occasions ----

TfLiteStatus lite_cl_account_begin(LiteClShared* shared, const LiteReporter* reporter) {
    LiteClAccount* account = &shared->account;
    LiteText text = {0};
    if (!lite_cl_account_is_open(account)) return kTfLiteOk;
    lite_lock(&account->lock);
    lite_cl_account_lines_of_device(shared, &text);
    print(account, &text);
    const TfLiteStatus status = update_file(shared, reporter);
    lite_unlock(&account->lock);
    return status;
}

void lite_cl_account_decided(LiteClShared* shared, int graph, const LiteReporter* reporter) {
    LiteClAccount* account = &shared->account;
    LiteText text = {0};
    if (!lite_cl_account_is_open(account)) return;
    lite_lock(&account->lock);
    lite_cl_account_lines_of_graph(shared, graph, &text);
    print(account, &text);
    (void)update_file(shared, reporter);
    lite_unlock(&account->lock);
}

void lite_cl_account_update(LiteClShared* shared) {
    if (!lite_cl_account_is_open(&shared->account)) return;
    lite_lock(&shared->account.lock);
    (void)update_file(shared, NULL);
    lite_unlock(&shared->account.lock);
}

static void keep(void* user_data, const OcliteOpenclKernel* kernel) {
    LiteClAccount* account = user_data;
    if (kernel->runs == 0) return;
    for (int k = 0; k < account->kernel_count; k++) {
        if (lite_cl_account_kernel_add(&account->kernels[k], kernel)) return;
    }
    LiteClAccountKernel* more =
        lite_realloc(account->kernels, ((size_t)account->kernel_count + 1) * sizeof *more);
    if (more == NULL) return; // times are lost, and nothing else
    account->kernels = more;
    if (lite_cl_account_kernel_init(&more[account->kernel_count], kernel)) account->kernel_count++;
}

void lite_cl_account_keep(LiteClShared* shared, const LiteClProfile* profile) {
    LiteClAccount* account = &shared->account;
    if (profile == NULL || !lite_cl_account_is_open(account)) return;
    lite_lock(&account->lock);
    lite_cl_profile_tell(profile, keep, account);
    lite_unlock(&account->lock);
}

void lite_cl_account_end(LiteClShared* shared) {
    LiteClAccount* account = &shared->account;
    LiteText text = {0};
    if (!lite_cl_account_is_open(account)) return;
    lite_lock(&account->lock);
    lite_cl_account_lines_of_times(shared, &text);
    print(account, &text);
    const int error = account->file >= 0 ? write_file(shared) : 0;
    if (error != 0 && account->verbose)
        fprintf(stderr, "oclite OpenCL: %s cannot be written: %s\n", shared->options.report, strerror(error));
    lite_unlock(&account->lock);
}
