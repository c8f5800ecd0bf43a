// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/extension.h"

#include <string.h>

#include "core/base/memory.h"

bool lite_cl_device_has(const LiteClDevice* device, const char* name) {
    size_t size = 0;
    if (device->cl->clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
        return false;
    char* list = lite_calloc(1, size + 1);
    bool found = false;
    if (list != NULL &&
        device->cl->clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, size, list, NULL) == CL_SUCCESS) {
        char* position = NULL;
        for (char* word = strtok_r(list, " ", &position); word != NULL && !found;
             word = strtok_r(NULL, " ", &position))
            found = strcmp(word, name) == 0;
    }
    lite_free(list);
    return found;
}
