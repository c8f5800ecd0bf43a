// SPDX-License-Identifier: Apache-2.0
// The ZIP archive that may follow a model in its file: names of files, and where their contents lie.
#ifndef CORE_MODEL_ARCHIVE_H_
#define CORE_MODEL_ARCHIVE_H_

#include "core/base/memory.h"
#include "core/base/status.h"
#include "oclite/metadata.h"

// Finds the files in an archive at the end of `size` bytes: *count of them in *files, from `arena`; 0 when
// there is no archive. Contents are not copied. Compressed and encrypted files come without their contents.
// Archives of more than 4 GiB or 65,535 files, which need another format, are errors, as are damaged ones.
TfLiteStatus lite_archive_read(const void* data, size_t size, LiteArena* arena, OcliteMetadataFile** files,
                               int* count, const LiteReporter* reporter);

#endif
