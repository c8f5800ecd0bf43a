// SPDX-License-Identifier: Apache-2.0
// What files of a folder may take together.
#ifndef CORE_BASE_FOLDER_LIMIT_H_
#define CORE_BASE_FOLDER_LIMIT_H_

#include <stddef.h>

// Of the files that lite_folder_write wrote, or began to, under names of so many hexadecimal digits and
// `ending`: removes those that were changed the longest ago until all have at most `most` bytes. Returns how
// many they have. Other files stay.
size_t lite_folder_limit(int folder, size_t digits, const char* ending, size_t most);

#endif
