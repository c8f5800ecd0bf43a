// SPDX-License-Identifier: Apache-2.0
// Epilogues without a head whose steps work by rows: some reduce each row to one element or make another row
// of it, some have one element for each row, and the others are elementwise. Normalisations and softmax as
// converters spell them out are such. A block of rows goes through all steps before the next one, so that it
// is read from memory once.
//
// Between two products a block is made by the first and used by the second (core/base/row_product.h): of
// what is between them only blocks are in memory. So are the scores of attention.
#ifndef CORE_BASE_ROW_BLOCKS_H_
#define CORE_BASE_ROW_BLOCKS_H_

#include "core/base/epilogue.h"

// Gives each step a buffer. False when there are not enough of the rows' length.
bool lite_row_blocks_plan(LiteEpilogue* epilogue);

// All of it, on so many threads.
void lite_row_blocks_run(const LiteEpilogue* epilogue, int threads);

// The same with products before and after. The plan follows from the shapes alone; memory is what each thread
// needs, once the products are ready.
bool lite_row_products_plan(LiteEpilogue* epilogue);
size_t lite_row_products_memory(const LiteEpilogue* epilogue);
TfLiteStatus lite_row_products_run(TfLiteOpaqueContext* context, const LiteEpilogue* epilogue, int threads);

#endif
