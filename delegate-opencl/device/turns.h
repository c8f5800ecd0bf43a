// SPDX-License-Identifier: Apache-2.0
// Processes take turns with a driver that does not expect several of them. PoCL (3.1) keeps what it compiles
// in a folder that all processes of a user share. While one of them replaces a file of a program there,
// another finds none, and its build fails. While one asks for the binary of a program, another one that
// compiles a kernel of it lets the binary grow over the memory that the driver has allocated. With turns the
// second process also finds what the first one has compiled, instead of compiling the same.
//
// The turns are locks of a file in that folder, so they end with a process that is killed. Whoever
// runs out of patience goes on without one, so a lock that somebody else keeps holds up nobody for long.
#ifndef DELEGATE_OPENCL_DEVICE_TURNS_H_
#define DELEGATE_OPENCL_DEVICE_TURNS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Not in builds of selected operators, which are small for it.
#ifndef LITE_CL_HAS_TURNS
#define LITE_CL_HAS_TURNS 1
#endif

typedef struct LiteClTurns LiteClTurns;

// Those of PoCL, for which the process waits so long in all. NULL: there are none, or there is no memory.
enum { LITE_CL_TURNS_PATIENCE_MS = 30000 };
LiteClTurns* lite_cl_turns_create(int patience_ms);
void lite_cl_turns_free(LiteClTurns* turns);

typedef struct LiteClTurn {
    int file; // -1: there is none
} LiteClTurn;

// Of turns that there are. `program` says which one: a hash of its text. Alone, to build the program or to
// ask for its binary; otherwise together with others that launch its kernels, which compiles them.
LiteClTurn lite_cl_turn_take(LiteClTurns* turns, uint64_t program, bool alone);
void lite_cl_turn_give_back(const LiteClTurn* turn);

// The same for any device; `turns`: NULL where the driver needs none.
static inline LiteClTurn lite_cl_turn_begin(LiteClTurns* turns, uint64_t program, bool alone) {
    return LITE_CL_HAS_TURNS && turns != NULL ? lite_cl_turn_take(turns, program, alone) : (LiteClTurn){-1};
}
static inline void lite_cl_turn_end(const LiteClTurn* turn) {
    if (LITE_CL_HAS_TURNS && turn->file >= 0) lite_cl_turn_give_back(turn);
}

#endif
