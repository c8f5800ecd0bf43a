// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/constants.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/sha256.h"
#include "delegate-opencl/device/shared.h"

// The constant's users that count in the same place: the partitions of a delegate.
typedef struct Users {
    struct Users* next;
    atomic_size_t* counter;
    int count;
} Users;

struct LiteClConstant {
    struct LiteClConstant* next; // in its slot
    unsigned char digest[LITE_SHA256_BYTES];
    size_t bytes;
    cl_mem memory;
    void* address; // NULL: not known
    Users* users;
    bool is_kept; // without a user, too
};

// Is it where the host can read it?
static bool is_shared(const LiteClConstant* constant) {
    return LITE_CL_HAS_SERIES && constant->address != NULL;
}

// The digest's bits are random already.
static LiteClConstant** slot_of(LiteClDevice* device, const unsigned char* digest) {
    return &device->constants[(digest[0] | digest[1] << 8) % LITE_CL_CONSTANT_SLOTS];
}

static bool add_user(LiteClConstant* constant, atomic_size_t* counter) {
    Users* users = constant->users;
    while (users != NULL && users->counter != counter) users = users->next;
    if (users == NULL) {
        users = lite_calloc(1, sizeof *users);
        if (users == NULL) return false;
        *users = (Users){constant->users, counter, 0};
        constant->users = users;
        if (counter != NULL) atomic_fetch_add(counter, constant->bytes);
    }
    users->count++;
    return true;
}

// `counted`: the bytes stay counted.
static void remove_user(LiteClConstant* constant, atomic_size_t* counter, bool counted) {
    Users** link = &constant->users;
    while ((*link)->counter != counter) link = &(*link)->next;
    Users* users = *link;
    if (--users->count > 0) return;
    if (counter != NULL && !counted) atomic_fetch_sub(counter, constant->bytes);
    *link = users->next;
    lite_free(users);
}

static TfLiteStatus create(LiteClDevice* device, const LiteClConstant* wanted, void* contents,
                           const LiteReporter* reporter, LiteClConstant** created) {
    LiteClConstant* constant = lite_malloc(sizeof *constant);
    if (constant == NULL) return lite_report(reporter, "OpenCL: out of memory");
    *constant = *wanted;
    cl_int error;
    constant->memory =
        is_shared(constant)
            ? lite_cl_shared_buffer(device, CL_MEM_READ_ONLY, wanted->bytes, constant->address, &error)
            : device->cl->clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                         wanted->bytes, contents, &error);
    const TfLiteStatus status = lite_cl_check(reporter, "clCreateBuffer of a constant", error);
    if (status != kTfLiteOk) {
        lite_free(constant);
        return status;
    }
    LiteClConstant** slot = slot_of(device, constant->digest);
    constant->next = *slot;
    *slot = constant;
    *created = constant;
    return kTfLiteOk;
}

// Takes it out when nobody has it.
static void drop_unused(LiteClDevice* device, LiteClConstant* constant) {
    if (constant->users != NULL || constant->is_kept) return;
    LiteClConstant** link = slot_of(device, constant->digest);
    while (*link != constant) link = &(*link)->next;
    *link = constant->next;
    lite_cl_shared_release(device, constant->memory, constant->address);
    lite_free(constant);
}

// The whole is compared where the host can read what the device has; else its digest stands for it.
static bool is_same(const LiteClConstant* constant, const LiteClConstant* wanted) {
    if (constant->bytes != wanted->bytes) return false;
    if (memcmp(constant->digest, wanted->digest, sizeof wanted->digest) != 0) return false;
    if (!is_shared(wanted)) return true;
    return is_shared(constant) && memcmp(constant->address, wanted->address, wanted->bytes) == 0;
}

// With the lock held. Takes `wanted`'s memory if the device has no such constant.
static TfLiteStatus acquire(LiteClDevice* device, LiteClConstant* wanted, void* contents,
                            atomic_size_t* counter, const LiteReporter* reporter, LiteClConstant** found) {
    LiteClConstant* constant = *slot_of(device, wanted->digest);
    while (constant != NULL && !is_same(constant, wanted)) constant = constant->next;
    if (constant == NULL) {
        LITE_TRY(create(device, wanted, contents, reporter, &constant));
        wanted->address = NULL;
    }
    if (!add_user(constant, counter)) {
        drop_unused(device, constant);
        return lite_report(reporter, "OpenCL: out of memory");
    }
    *found = constant;
    return kTfLiteOk;
}

// Of all bytes, or of the first, middle and last of many where constants are compared as a whole.
static void digest(LiteClConstant* wanted, const char* contents) {
    enum { kSample = 1024 };
    const size_t bytes = wanted->bytes;
    if (!is_shared(wanted) || bytes <= 3 * kSample) {
        lite_sha256(&(LiteBytes){contents, bytes}, 1, wanted->digest);
        return;
    }
    const LiteBytes samples[] = {
        {contents, kSample}, {contents + bytes / 2, kSample}, {contents + bytes - kSample, kSample}};
    lite_sha256(samples, 3, wanted->digest);
}

TfLiteStatus lite_cl_constant_acquire(LiteClDevice* device, size_t bytes, LiteClPack pack, const void* state,
                                      atomic_size_t* counter, const LiteReporter* reporter,
                                      LiteClConstant** constant) {
    // Packed weights may be larger than the tensor.
    if (bytes > device->max_allocation)
        return lite_report(reporter,
                           "OpenCL: a constant needs %zu bytes, the device allows %zu "
                           "(CL_DEVICE_MAX_MEM_ALLOC_SIZE)",
                           bytes, device->max_allocation);
    LiteClConstant wanted = {.bytes = bytes, .address = lite_cl_shared_alloc(device, bytes)};
    void* own = is_shared(&wanted) ? NULL : lite_calloc(1, bytes);
    if (own == NULL && !is_shared(&wanted)) return lite_report(reporter, "OpenCL: out of memory");
    void* contents = own != NULL ? own : memset(wanted.address, 0, bytes);
    if (pack != NULL) pack(state, contents);
    digest(&wanted, contents);
    lite_lock(&device->constants_lock);
    const TfLiteStatus status = acquire(device, &wanted, contents, counter, reporter, constant);
    lite_unlock(&device->constants_lock);
    lite_cl_shared_free(device, wanted.address);
    lite_free(own);
    return status;
}

void lite_cl_constant_release(LiteClDevice* device, LiteClConstant* constant, atomic_size_t* counter) {
    lite_lock(&device->constants_lock);
    remove_user(constant, counter, false);
    drop_unused(device, constant);
    lite_unlock(&device->constants_lock);
}

void lite_cl_constant_abandon(LiteClDevice* device, LiteClConstant* constant, atomic_size_t* counter) {
    lite_lock(&device->constants_lock);
    constant->is_kept = true;
    remove_user(constant, counter, true);
    lite_unlock(&device->constants_lock);
}

cl_mem lite_cl_constant_memory(const LiteClConstant* constant) {
    return constant->memory;
}

void* lite_cl_constant_address(const LiteClConstant* constant) {
    return constant->address;
}

int lite_cl_constants_count(LiteClDevice* device) {
    int count = 0;
    lite_lock(&device->constants_lock);
    for (int s = 0; s < LITE_CL_CONSTANT_SLOTS; s++) {
        for (const LiteClConstant* c = device->constants[s]; c != NULL; c = c->next) count++;
    }
    lite_unlock(&device->constants_lock);
    return count;
}
