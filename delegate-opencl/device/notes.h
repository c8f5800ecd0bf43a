// SPDX-License-Identifier: Apache-2.0
// Results of measurements on a device, under keys: all delegates of the process share them, and the folder of
// built programs keeps them for later processes (program_cache.h).
#ifndef DELEGATE_OPENCL_DEVICE_NOTES_H_
#define DELEGATE_OPENCL_DEVICE_NOTES_H_

#include "delegate-opencl/device/device.h"

// Reads what was noted under the key, if it has `size` bytes.
bool lite_cl_note_find(LiteClDevice* device, const char* key, void* bytes, size_t size);
// Notes it, in place of what was there: `lasting` in the folder, too. Where there is no memory nothing is
// noted.
void lite_cl_note_keep(LiteClDevice* device, const char* key, const void* bytes, size_t size, bool lasting);
// Forgets it, and makes it worthless in the folder.
void lite_cl_note_drop(LiteClDevice* device, const char* key);
// Forgets what the process has. Only for the end of the device.
void lite_cl_notes_release(LiteClDevice* device);

#endif
