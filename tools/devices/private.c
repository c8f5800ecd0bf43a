// SPDX-License-Identifier: Apache-2.0
#include "tools/devices/private.h"

#include <ctype.h>
#include <gnu/libc-version.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void devices_add_system(cJSON* facts) {
    struct utsname name;
    if (uname(&name) != 0) return;
    cJSON* system = cJSON_AddObjectToObject(facts, "system");
    tool_facts_add_text(system, "kernel", name.sysname);
    tool_facts_add_text(system, "release", name.release);
    tool_facts_add_text(system, "architecture", name.machine);
    tool_facts_add_text(system, "glibc", gnu_get_libc_version());
}

typedef struct Secret {
    const char* text; // what must not be seen; NULL: nothing
    const char* shown;
} Secret;

static bool is_part(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

// Replaces whole words alone: a user called "tel" is no part of Intel.
static void replace(char* text, const Secret* secret) {
    const size_t length = strlen(secret->text), shown = strlen(secret->shown);
    char* at = text;
    while ((at = strstr(at, secret->text)) != NULL) {
        const bool begins = at == text || !is_part(at[-1]) || !is_part(secret->text[0]);
        if (!begins || is_part(at[length])) {
            at += length;
            continue;
        }
        memmove(at + shown, at + length, strlen(at + length) + 1);
        memcpy(at, secret->shown, shown);
        at += shown;
    }
}

static void remove_from(cJSON* item, const Secret* secrets, int count) {
    for (int i = 0; i < count && cJSON_IsString(item); i++) {
        // What takes its place is no longer, so that it fits.
        const bool fits = secrets[i].text != NULL && strlen(secrets[i].text) >= strlen(secrets[i].shown);
        if (fits && strcmp(secrets[i].text, "/") != 0) replace(item->valuestring, &secrets[i]);
    }
    for (cJSON* child = item->child; child != NULL; child = child->next) remove_from(child, secrets, count);
}

void devices_remove_private(cJSON* facts) {
    char host[256] = "";
    const char *user = getenv("USER"), *login = getenv("LOGNAME");
    if (gethostname(host, sizeof(host) - 1) != 0) host[0] = '\0';
    const Secret secrets[] = {{getenv("HOME"), "~"},
                              {host[0] != '\0' ? host : NULL, "-"},
                              {user != NULL && strcmp(user, "root") != 0 ? user : NULL, "-"},
                              {login != NULL && strcmp(login, "root") != 0 ? login : NULL, "-"}};
    remove_from(facts, secrets, sizeof(secrets) / sizeof(secrets[0]));
}
