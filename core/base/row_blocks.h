// SPDX-License-Identifier: Apache-2.0
// Epilogues without a head whose steps work by rows: some reduce each row to one element, some have one for
// each row, and the others are elementwise. Normalisations and softmax as converters spell them out are such.
// A block of rows goes through all steps before the next one, so that it is read from memory once.
#ifndef CORE_BASE_ROW_BLOCKS_H_
#define CORE_BASE_ROW_BLOCKS_H_

#include "core/base/epilogue.h"

// Gives each step a buffer. False when there are not enough of the rows' length.
bool lite_row_blocks_plan(LiteEpilogue* epilogue);

// All of it, on so many threads.
void lite_row_blocks_run(const LiteEpilogue* epilogue, int threads);

#endif
