// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/signature.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "tensorflow/lite/c/common.h"

const char* lite_cl_signature_type(TfLiteType type) {
    switch (type) {
    case kTfLiteFloat16:
        return "half";
    case kTfLiteInt8:
        return "char";
    case kTfLiteUInt8:
    case kTfLiteBool:
        return "uchar";
    case kTfLiteInt16:
        return "short";
    case kTfLiteUInt16:
        return "ushort";
    case kTfLiteInt32:
        return "int";
    case kTfLiteUInt32:
        return "uint";
    case kTfLiteInt64:
        return "long";
    case kTfLiteUInt64:
        return "ulong";
    default:
        return "float";
    }
}

// ---- What the driver tells of an argument ----

enum { NAME = 128 };

typedef struct Argument {
    bool has_address, has_access, has_type, has_qualifiers, has_name;
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifiers;
    char type[NAME]; // "float*"
    char name[NAME];
    // Of the type: "float", and 4 of float4; "" for names that are not OpenCL's own (structs, say).
    const char* element;
    int width;
} Argument;

static const char* const elements[] = {"char", "uchar", "short", "ushort", "int",    "uint",
                                       "long", "ulong", "half",  "float",  "double", "void"};
enum { ELEMENT_COUNT = sizeof elements / sizeof elements[0] };

// The elements in a vector, from what stands behind the name of its element; 0: it is no vector.
static int vector_width(const char* rest) {
    static const struct {
        const char* text;
        int width;
    } widths[] = {{"", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        if (strcmp(rest, widths[w].text) == 0) return widths[w].width;
    }
    return 0;
}

// Reads "const unsigned int *" as "uint", whatever a driver leaves out or adds.
static void read_type(Argument* argument) {
    static const char* const ignored[] = {"const",    "volatile",   "restrict",
                                          "__global", "__constant", "__local"};
    char words[NAME + 1] = "";
    size_t used = 0;
    bool is_unsigned = false;
    for (const char* at = argument->type; *at != '\0';) {
        const size_t length = strcspn(at, " *");
        bool skips = length == 0;
        for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
            skips = skips || (strlen(ignored[i]) == length && memcmp(at, ignored[i], length) == 0);
        const bool sign = length == strlen("unsigned") && memcmp(at, "unsigned", length) == 0;
        is_unsigned = is_unsigned || sign;
        if (!skips && !sign) memcpy(words + used, at, length), used += length;
        at += length;
        if (*at != '\0') at++;
    }
    char whole[NAME + 2];
    snprintf(whole, sizeof whole, "%s%s", is_unsigned ? "u" : "", is_unsigned && used == 0 ? "int" : words);
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        const size_t length = strlen(elements[e]);
        const int width = strncmp(whole, elements[e], length) == 0 ? vector_width(whole + length) : 0;
        if (width == 0) continue;
        argument->element = elements[e];
        argument->width = width;
    }
}

static bool ask(const LiteClDevice* device, cl_kernel kernel, cl_uint index, cl_kernel_arg_info what,
                void* value, size_t size) {
    return device->cl->clGetKernelArgInfo(kernel, index, what, size, value, NULL) == CL_SUCCESS;
}

static Argument read_argument(const LiteClDevice* device, cl_kernel kernel, cl_uint index) {
    Argument a = {.element = ""};
    a.has_address = ask(device, kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, &a.address, sizeof a.address);
    a.has_access = ask(device, kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, &a.access, sizeof a.access);
    a.has_qualifiers =
        ask(device, kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, &a.qualifiers, sizeof a.qualifiers);
    a.has_name = ask(device, kernel, index, CL_KERNEL_ARG_NAME, a.name, sizeof a.name - 1);
    a.has_type = ask(device, kernel, index, CL_KERNEL_ARG_TYPE_NAME, a.type, sizeof a.type - 1);
    if (a.has_type) read_type(&a);
    return a;
}

// The argument as a program would write it.
static void print_argument(const Argument* a, char text[2 * NAME]) {
    const bool is_pointer = a->has_address && a->address != CL_KERNEL_ARG_ADDRESS_PRIVATE;
    const char* space = !is_pointer                                    ? ""
                        : a->address == CL_KERNEL_ARG_ADDRESS_GLOBAL   ? "__global "
                        : a->address == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "__constant "
                                                                       : "__local ";
    const bool is_const = is_pointer && a->has_qualifiers &&
                          (a->qualifiers & CL_KERNEL_ARG_TYPE_CONST) != 0 &&
                          a->address != CL_KERNEL_ARG_ADDRESS_CONSTANT;
    snprintf(text, 2 * NAME, "%s%s%s", space, is_const ? "const " : "",
             a->has_type  ? a->type
             : is_pointer ? "pointer"
                          : "value");
}

// ---- What the declaration says of it ----

// One argument of the kernel. A status is two.
typedef struct Declared {
    const LiteClArgumentDecl* argument;
    bool is_node; // the second one of a status
} Declared;

static int count_declared(const LiteClDeclaration* d) {
    return d->argument_count + (d->has_status ? 1 : 0);
}

// `index` is below count_declared.
static Declared declared_at(const LiteClDeclaration* d, int index) {
    const LiteClArgumentDecl* argument = d->arguments;
    while (index >= (argument->kind == kLiteClArgumentStatus ? 2 : 1)) {
        index -= argument->kind == kLiteClArgumentStatus ? 2 : 1;
        argument++;
    }
    return (Declared){argument, index == 1};
}

static const char* describe(const LiteClDeclaration* d, Declared declared, char text[LITE_CL_NAME + 64]) {
    const LiteClArgumentDecl* argument = declared.argument;
    static const char* const kinds[] = {
        [kLiteClArgumentInt] = "an int",        [kLiteClArgumentLong] = "a long",
        [kLiteClArgumentFloat] = "a float",     [kLiteClArgumentLocal] = "local memory",
        [kLiteClArgumentStatus] = "the status",
    };
    if (declared.is_node) return "the number that belongs to status";
    if (argument->kind != kLiteClArgumentTensor) return kinds[argument->kind];
    snprintf(text, LITE_CL_NAME + 64, "the tensor %s", d->tensor_names[argument->tensor]);
    return text;
}

// ---- Comparison ----

// A fault of an argument: what is wrong with it, and how it would be right.
typedef struct Fault {
    char what[160];
    char right[96];
} Fault;

LITE_PRINTF(3, 4) static bool fault(Fault* f, const char* right, const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(f->what, sizeof f->what, format, args);
    va_end(args);
    snprintf(f->right, sizeof f->right, "%s", right);
    return false;
}

static bool is_element(const Argument* a, const char* name) {
    return a->element[0] == '\0' || strcmp(a->element, "void") == 0 || strcmp(a->element, name) == 0;
}

// A kernel that takes void* casts it as it likes. char and uchar hold a bool alike.
static bool holds(const Argument* a, TfLiteType type) {
    return is_element(a, lite_cl_signature_type(type)) || (type == kTfLiteBool && is_element(a, "char"));
}

static bool check_tensor(const LiteClSignature* s, const Argument* a, int tensor, Fault* f) {
    const LiteClDeclaration* d = s->declaration;
    const bool is_output = d->tensors[tensor].is_output;
    const TfLiteType first = (TfLiteType)__builtin_ctz(s->types[tensor]);
    const char* name = d->tensor_names[tensor];
    char right[96];
    snprintf(right, sizeof right, "__global %s%s* %s", is_output ? "" : "const ",
             lite_cl_signature_type(first), name);
    if ((a->has_access && a->access != CL_KERNEL_ARG_ACCESS_NONE) || strncmp(a->type, "image", 5) == 0)
        return fault(f, right, "the tensor %s is a buffer and no image", name);
    if (a->has_address && a->address != CL_KERNEL_ARG_ADDRESS_GLOBAL &&
        a->address != CL_KERNEL_ARG_ADDRESS_CONSTANT)
        return fault(f, right, "the tensor %s is in global memory", name);
    const bool is_const = a->has_qualifiers && (a->qualifiers & CL_KERNEL_ARG_TYPE_CONST) != 0;
    if (is_output && (is_const || (a->has_address && a->address == CL_KERNEL_ARG_ADDRESS_CONSTANT)))
        return fault(f, right, "the tensor %s is an output, which the kernel has to write", name);
    for (unsigned left = s->types[tensor]; left != 0; left &= left - 1) {
        const TfLiteType type = (TfLiteType)__builtin_ctz(left);
        if (!a->has_type || holds(a, type)) continue;
        if ((s->types[tensor] & (s->types[tensor] - 1)) != 0)
            snprintf(right, sizeof right, "__global %sTYPE_%s* %s", is_output ? "" : "const ", name, name);
        return fault(f, right, "the tensor %s %s %s", name, left == s->types[tensor] ? "is" : "may also be",
                     TfLiteTypeGetName(type));
    }
    return true;
}

static bool check_value(const Argument* a, const char* type, const char* other, Fault* f) {
    if (a->has_address && a->address != CL_KERNEL_ARG_ADDRESS_PRIVATE)
        return fault(f, type, "the declaration gives it a value of type %s", type);
    const bool fits = is_element(a, type) || (other != NULL && is_element(a, other));
    if (!a->has_type || (fits && a->width <= 1)) return true;
    return fault(f, type, "the declaration gives it a value of type %s", type);
}

static bool check_local(const Argument* a, size_t bytes, Fault* f) {
    static const unsigned char sizes[ELEMENT_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 0};
    if (a->has_address && a->address != CL_KERNEL_ARG_ADDRESS_LOCAL)
        return fault(f, "a __local pointer", "the declaration gives it local memory");
    for (int e = 0; e < ELEMENT_COUNT && a->has_type; e++) {
        if (strcmp(a->element, elements[e]) != 0 || sizes[e] <= bytes) continue;
        return fault(f, "the same type in the declaration and in the kernel",
                     "the declaration counts local memory in elements of %zu bytes", bytes);
    }
    return true;
}

static bool check_status(const Argument* a, Fault* f) {
    const char* right = "__global int* status, int node";
    if (a->has_address && a->address != CL_KERNEL_ARG_ADDRESS_GLOBAL)
        return fault(f, right, "the status is in global memory");
    return !a->has_type || is_element(a, "int") || is_element(a, "uint") ||
           fault(f, right, "the status is an int");
}

// The kernel's name of an argument is that of another tensor, so that two are in each other's place.
static bool check_name(const LiteClDeclaration* d, const Argument* a, int tensor, Fault* f) {
    for (int i = 0; i < d->argument_count && a->has_name; i++) {
        const int other = d->arguments[i].tensor;
        if (d->arguments[i].kind != kLiteClArgumentTensor || other == tensor ||
            strcmp(a->name, d->tensor_names[other]) != 0)
            continue;
        return fault(f, "the kernel's order in the declaration", "the declaration gives it the tensor %s",
                     d->tensor_names[tensor]);
    }
    return true;
}

static bool check_argument(const LiteClSignature* s, const Argument* a, Declared declared, Fault* f) {
    const LiteClArgumentDecl* argument = declared.argument;
    switch (argument->kind) {
    case kLiteClArgumentTensor:
        return check_name(s->declaration, a, argument->tensor, f) && check_tensor(s, a, argument->tensor, f);
    case kLiteClArgumentInt:
        return check_value(a, "int", "uint", f);
    case kLiteClArgumentLong:
        return check_value(a, "long", "ulong", f);
    case kLiteClArgumentFloat:
        return check_value(a, "float", NULL, f);
    case kLiteClArgumentLocal:
        return check_local(a, argument->bytes, f);
    case kLiteClArgumentStatus:
        break;
    }
    return declared.is_node ? check_value(a, "int", "uint", f) : check_status(a, f);
}

// ---- Messages ----

static bool is_name_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// The line of the file where the kernel is; that of the declaration where a macro makes its name.
static int line_of(const LiteClSignature* s) {
    const char* name = s->declaration->kernel;
    const size_t length = strlen(name);
    int line = 1;
    const char* body = s->source;
    for (const char* at = s->source; *at != '\0'; at++) {
        if (*at == '\n' && line++ == s->declaration->kernel_line) body = at;
    }
    line = s->declaration->kernel_line;
    if (body == s->source) return line;
    for (const char* at = body; *at != '\0'; at++) {
        if (*at == '\n') line++;
        if (is_name_part(at[-1]) || strncmp(at, name, length) != 0 || is_name_part(at[length])) continue;
        if (at[length + strspn(at + length, " \t\r\n")] == '(') return line;
    }
    return s->declaration->kernel_line;
}

static TfLiteStatus report_argument(const LiteClSignature* s, int index, const Argument* a, const Fault* f,
                                    const LiteReporter* reporter) {
    char text[2 * NAME];
    print_argument(a, text);
    return lite_report(reporter,
                       "OpenCL: %s:%d: operator %s, kernel %s: argument %d of %d%s%s%s is %s, but %s; %s "
                       "would be right",
                       s->file, line_of(s), s->declaration->name, s->declaration->kernel, index + 1,
                       count_declared(s->declaration), a->has_name ? " (" : "", a->has_name ? a->name : "",
                       a->has_name ? ")" : "", text, f->what, f->right);
}

static TfLiteStatus check_arguments(const LiteClDevice* device, cl_kernel kernel, const LiteClSignature* s,
                                    const LiteReporter* reporter) {
    const LiteClDeclaration* d = s->declaration;
    const int declared_count = count_declared(d);
    cl_uint count = 0;
    if (device->cl->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL) != CL_SUCCESS)
        return kTfLiteOk;
    for (int i = 0; i < declared_count && i < (int)count; i++) {
        Fault f;
        const Argument a = read_argument(device, kernel, (cl_uint)i);
        if (!check_argument(s, &a, declared_at(d, i), &f)) return report_argument(s, i, &a, &f, reporter);
    }
    if ((int)count == declared_count) return kTfLiteOk;
    char text[LITE_CL_NAME + 64];
    const bool misses = (int)count > declared_count;
    const Argument first =
        misses ? read_argument(device, kernel, (cl_uint)declared_count) : (Argument){.element = ""};
    const char* what =
        misses ? (first.has_name ? first.name : "one more") : describe(d, declared_at(d, (int)count), text);
    return lite_report(
        reporter,
        "OpenCL: %s:%d: operator %s, kernel %s: it has %u arguments, and the declaration (line "
        "%d) gives it %d: %s is missing in the %s",
        s->file, line_of(s), d->name, d->kernel, count, d->kernel_line, declared_count, what,
        misses ? "declaration" : "kernel");
}

// The kernels of a program, separated by ';'; NULL where the driver does not tell.
static char* kernel_names(const LiteClDevice* device, cl_program program) {
    size_t size = 0;
    const LiteCl* cl = device->cl;
    if (cl->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) != CL_SUCCESS || size < 2)
        return NULL;
    char* names = lite_calloc(1, size + 1);
    if (names != NULL &&
        cl->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, names, NULL) == CL_SUCCESS)
        return names;
    lite_free(names);
    return NULL;
}

static TfLiteStatus report_name(const LiteClDevice* device, cl_program program, const LiteClSignature* s,
                                const LiteReporter* reporter) {
    char* names = kernel_names(device, program);
    const LiteClDeclaration* d = s->declaration;
    TfLiteStatus status;
    if (names == NULL) {
        status = lite_report(reporter, "OpenCL: %s:%d: operator %s: there is no kernel %s in the file",
                             s->file, d->kernel_line, d->name, d->kernel);
    } else {
        status =
            lite_report(reporter, "OpenCL: %s:%d: operator %s: there is no kernel %s in the file, only %s",
                        s->file, d->kernel_line, d->name, d->kernel, names);
    }
    lite_free(names);
    return status;
}

TfLiteStatus lite_cl_signature_check(const LiteClDevice* device, cl_program program, const void* signature,
                                     const LiteReporter* reporter) {
    const LiteClSignature* s = signature;
    cl_int error;
    const cl_kernel kernel = device->cl->clCreateKernel(program, s->declaration->kernel, &error);
    if (error == CL_INVALID_KERNEL_NAME) return report_name(device, program, s, reporter);
    LITE_TRY(lite_cl_check(reporter, "clCreateKernel", error));
    const TfLiteStatus status = check_arguments(device, kernel, s, reporter);
    device->cl->clReleaseKernel(kernel);
    return status;
}
