// SPDX-License-Identifier: Apache-2.0
// What was found, as text.
#ifndef TOOLS_DIFF_REPORT_H_
#define TOOLS_DIFF_REPORT_H_

#include "tools/diff/diff.h"

// Prints the table and the conclusion.
void diff_print(const DiffWork* work, int most_rows);

#endif
