// SPDX-License-Identifier: Apache-2.0
// The folder in which the user's programs keep what they can make again.
#ifndef CORE_BASE_CACHE_HOME_H_
#define CORE_BASE_CACHE_HOME_H_

// XDG_CACHE_HOME/oclite, or .cache/oclite at HOME, but not for processes with rights of others (setuid).
// Owned by the caller; NULL: there is none.
char* lite_cache_home(void);

#endif
