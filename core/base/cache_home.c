// SPDX-License-Identifier: Apache-2.0
#include "core/base/cache_home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

static char* join(const char* folder, const char* rest) {
    const size_t size = strlen(folder) + strlen(rest) + 1;
    char* path = lite_malloc(size);
    if (path != NULL) snprintf(path, size, "%s%s", folder, rest);
    return path;
}

char* lite_cache_home(void) {
    const char* cache = secure_getenv("XDG_CACHE_HOME");
    const char* home = secure_getenv("HOME");
    // Relative paths are invalid there, says the specification.
    if (cache != NULL && cache[0] == '/') return join(cache, "/oclite");
    return home != NULL && home[0] == '/' ? join(home, "/.cache/oclite") : NULL;
}
