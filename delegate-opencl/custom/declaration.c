// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/declaration.h"

#include "delegate-opencl/custom/expression.h"

#include <ctype.h>
#include <string.h>

typedef LiteClDeclaration Declaration;

static const struct {
    const char* name;
    TfLiteType type;
} types[] = {{"float32", kTfLiteFloat32}, {"float16", kTfLiteFloat16}, {"int8", kTfLiteInt8},
             {"uint8", kTfLiteUInt8},     {"int16", kTfLiteInt16},     {"uint16", kTfLiteUInt16},
             {"int32", kTfLiteInt32},     {"uint32", kTfLiteUInt32},   {"int64", kTfLiteInt64},
             {"uint64", kTfLiteUInt64},   {"bool", kTfLiteBool}};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

static LiteClScope scope_of(const Declaration* d, bool is_formula) {
    return (LiteClScope){.is_formula = is_formula,
                         .tensor_count = d->tensor_count,
                         .tensors = (const char(*)[LITE_CL_NAME])d->tensor_names,
                         .option_count = d->option_count,
                         .options = (const char(*)[LITE_CL_NAME])d->option_names,
                         .option_is_real = d->option_is_real};
}

static bool read_size(LiteClText* text, Declaration* d, int* size) {
    const LiteClScope scope = scope_of(d, false);
    return lite_cl_expression_read(text, &scope, &d->terms, size);
}

static bool is_taken(const Declaration* d, const char* name) {
    for (int i = 0; i < d->tensor_count; i++) {
        if (strcmp(d->tensor_names[i], name) == 0) return true;
    }
    for (int i = 0; i < d->option_count; i++) {
        if (strcmp(d->option_names[i], name) == 0) return true;
    }
    return false;
}

static bool read_new_name(LiteClText* text, const Declaration* d, char name[LITE_CL_NAME]) {
    if (!lite_cl_text_name(text, "a name", name)) return false;
    return !is_taken(d, name) || lite_cl_text_fail(text, "\"%s\" is declared twice", name);
}

// The tensor with that name, -1 without one.
static int find_tensor(LiteClText* text, const Declaration* d) {
    for (int i = 0; i < d->tensor_count; i++) {
        if (lite_cl_text_accept(text, d->tensor_names[i])) return i;
    }
    return -1;
}

static int find_option(LiteClText* text, const Declaration* d) {
    for (int i = 0; i < d->option_count; i++) {
        if (lite_cl_text_accept(text, d->option_names[i])) return i;
    }
    return -1;
}

static bool read_type(LiteClText* text, unsigned* set) {
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (!lite_cl_text_accept(text, types[i].name)) continue;
        *set |= 1u << types[i].type;
        return true;
    }
    return lite_cl_text_fail(text,
                             "expected a type: float32, float16, int8, uint8, int16, int32, int64, bool …");
}

static bool read_operator(LiteClText* text, Declaration* d) {
    if (d->name[0] != '\0') return lite_cl_text_fail(text, "a second operator");
    if (lite_cl_text_ended(text)) return lite_cl_text_fail(text, "expected the operator's name");
    size_t length = (size_t)(text->end - text->at);
    while (length > 0 && isspace((unsigned char)text->at[length - 1])) length--;
    if (length >= sizeof d->name) return lite_cl_text_fail(text, "a name of %zu characters", length);
    memcpy(d->name, text->at, length);
    text->at = text->end;
    return true;
}

// The entry of the next tensor. It counts once the rest of its line has been read.
static LiteClTensorDecl* next_tensor(LiteClText* text, Declaration* d) {
    if (d->tensor_count == LITE_CL_CUSTOM_TENSORS) {
        (void)lite_cl_text_fail(text, "more than %d tensors", LITE_CL_CUSTOM_TENSORS);
        return NULL;
    }
    if (!read_new_name(text, d, d->tensor_names[d->tensor_count])) return NULL;
    LiteClTensorDecl* tensor = &d->tensors[d->tensor_count];
    *tensor = (LiteClTensorDecl){.like_type = -1, .like_shape = -1};
    return tensor;
}

static bool read_input(LiteClText* text, Declaration* d) {
    if (d->tensor_count > 0 && d->tensors[d->tensor_count - 1].is_output)
        return lite_cl_text_fail(text, "inputs come before outputs");
    LiteClTensorDecl* tensor = next_tensor(text, d);
    if (tensor == NULL) return false;
    do {
        if (!read_type(text, &tensor->types)) return false;
    } while (lite_cl_text_accept(text, "|"));
    tensor->is_optional = lite_cl_text_accept(text, "optional");
    if (d->tensor_count > 0 && d->tensors[d->tensor_count - 1].is_optional && !tensor->is_optional)
        return lite_cl_text_fail(text, "inputs behind an optional one are optional");
    d->tensor_count++;
    return true;
}

static bool read_like(LiteClText* text, const Declaration* d, int* tensor) {
    *tensor = find_tensor(text, d);
    if (*tensor < 0) return lite_cl_text_fail(text, "expected the name of an input");
    return true;
}

static bool read_shape(LiteClText* text, Declaration* d, LiteClTensorDecl* tensor) {
    if (lite_cl_text_accept(text, "like")) return read_like(text, d, &tensor->like_shape);
    if (!lite_cl_text_expect(text, "[")) return false;
    while (!lite_cl_text_accept(text, "]")) {
        if (tensor->rank > 0 && !lite_cl_text_expect(text, ",")) return false;
        if (tensor->rank == LITE_MAX_RANK)
            return lite_cl_text_fail(text, "more than %d dimensions", LITE_MAX_RANK);
        if (!read_size(text, d, &tensor->dims[tensor->rank++])) return false;
    }
    return true;
}

// NAME like INPUT, or NAME TYPE SHAPE, where the type of an input is "typeof INPUT".
static bool read_output(LiteClText* text, Declaration* d) {
    LiteClTensorDecl* tensor = next_tensor(text, d);
    if (tensor == NULL) return false;
    tensor->is_output = true;
    bool fine;
    if (lite_cl_text_accept(text, "like")) {
        fine = read_like(text, d, &tensor->like_type);
        tensor->like_shape = tensor->like_type;
    } else if (lite_cl_text_accept(text, "typeof")) {
        fine = read_like(text, d, &tensor->like_type) && read_shape(text, d, tensor);
    } else {
        fine = read_type(text, &tensor->types) && read_shape(text, d, tensor);
    }
    d->tensor_count += fine ? 1 : 0;
    return fine;
}

// "from KEY", "from KEY[3]" or "from builtin_data[3]"; without, the key is the name.
static bool read_source(LiteClText* text, const char* name, LiteClOptionDecl* option) {
    memcpy(option->key, name, LITE_CL_NAME);
    option->element = -1;
    if (!lite_cl_text_accept(text, "from")) return true;
    if (!lite_cl_text_name(text, "a key", option->key)) return false;
    if (!lite_cl_text_accept(text, "[")) return true;
    double element;
    bool is_real;
    if (!lite_cl_text_number(text, &element, &is_real) || is_real || element > INT16_MAX)
        return lite_cl_text_fail(text, "expected the index of an element");
    option->element = (int)element;
    option->is_parameter = strcmp(option->key, "builtin_data") == 0;
    return lite_cl_text_expect(text, "]");
}

// WORD|WORD, of a string option. They stay in the source.
static bool read_words(LiteClText* text, LiteClOptionDecl* option) {
    char word[LITE_CL_NAME];
    (void)lite_cl_text_ended(text);
    option->words = text->at;
    do {
        if (!lite_cl_text_name(text, "a word", word)) return false;
        option->word_count++;
        option->words_length = (int)(text->at - option->words);
    } while (lite_cl_text_accept(text, "|"));
    return true;
}

int lite_cl_option_word(const LiteClOptionDecl* option, const char* given, size_t length) {
    const char* at = option->words;
    for (int i = 0; i < option->word_count; i++) {
        at += strspn(at, " \t|");
        size_t size = 0;
        while (isalnum((unsigned char)at[size]) || at[size] == '_') size++;
        if (size == length && memcmp(at, given, size) == 0) return i;
        at += size;
    }
    return -1;
}

static bool read_default_word(LiteClText* text, LiteClOptionDecl* option) {
    char word[LITE_CL_NAME];
    if (!lite_cl_text_name(text, "a word", word)) return false;
    option->value = lite_cl_option_word(option, word, strlen(word));
    return option->value >= 0 || lite_cl_text_fail(text, "\"%s\" is none of the words", word);
}

static bool read_default(LiteClText* text, bool is_bool, bool is_real, LiteClOptionDecl* option) {
    bool has_point = false;
    if (option->words != NULL) return read_default_word(text, option);
    const bool is_negative = lite_cl_text_accept(text, "-");
    if (is_bool && lite_cl_text_accept(text, "true")) {
        option->value = 1;
    } else if (is_bool && lite_cl_text_accept(text, "false")) {
        option->value = 0;
    } else if (!lite_cl_text_number(text, &option->value, &has_point) || (has_point && !is_real)) {
        return lite_cl_text_fail(text, "expected a value");
    }
    if (is_negative) option->value = -option->value;
    return true;
}

static bool read_option(LiteClText* text, Declaration* d) {
    if (d->option_count == LITE_CL_CUSTOM_OPTIONS)
        return lite_cl_text_fail(text, "more than %d options", LITE_CL_CUSTOM_OPTIONS);
    char* name = d->option_names[d->option_count];
    LiteClOptionDecl* option = &d->options[d->option_count];
    if (!read_new_name(text, d, name)) return false;
    *option = (LiteClOptionDecl){0};
    const bool is_real = lite_cl_text_accept(text, "float"), is_bool = lite_cl_text_accept(text, "bool");
    if (!is_real && !is_bool && !lite_cl_text_accept(text, "int")) {
        if (!lite_cl_text_accept(text, "one"))
            return lite_cl_text_fail(text, "expected a type: int, float, bool or one of WORD|WORD");
        if (!lite_cl_text_expect(text, "of") || !read_words(text, option)) return false;
    }
    if (!read_source(text, name, option)) return false;
    if (option->is_parameter && option->words != NULL)
        return lite_cl_text_fail(text, "parameters are numbers");
    option->is_required = !lite_cl_text_accept(text, "=");
    if (option->is_parameter && !option->is_required)
        return lite_cl_text_fail(text, "parameters are always there");
    if (!option->is_required && !read_default(text, is_bool, is_real, option)) return false;
    d->option_is_real[d->option_count++] = is_real;
    return true;
}

static bool read_require(LiteClText* text, Declaration* d) {
    if (d->requirement_count == LITE_CL_CUSTOM_REQUIREMENTS)
        return lite_cl_text_fail(text, "more than %d requirements", LITE_CL_CUSTOM_REQUIREMENTS);
    (void)lite_cl_text_ended(text);
    d->requirement_texts[d->requirement_count] = text->at;
    return read_size(text, d, &d->requirements[d->requirement_count++]);
}

// OUTPUT = FORMULA
static bool read_elementwise(LiteClText* text, Declaration* d) {
    if (d->formula >= 0) return lite_cl_text_fail(text, "a second formula");
    const int output = find_tensor(text, d);
    if (output < 0 || !d->tensors[output].is_output)
        return lite_cl_text_fail(text, "expected the name of the output");
    LiteClScope scope = scope_of(d, true);
    scope.tensor_count = output;
    return lite_cl_text_expect(text, "=") && lite_cl_expression_read(text, &scope, &d->terms, &d->formula);
}

static bool read_real(LiteClText* text, Declaration* d, LiteClArgumentDecl* argument) {
    double number;
    bool is_real;
    argument->kind = kLiteClArgumentFloat;
    argument->option = find_option(text, d);
    if (argument->option >= 0) return true;
    argument->tensor = find_tensor(text, d);
    if (argument->tensor >= 0) return lite_cl_text_expect(text, ".") && lite_cl_text_expect(text, "scale");
    const bool is_negative = lite_cl_text_accept(text, "-");
    if (!lite_cl_text_number(text, &number, &is_real))
        return lite_cl_text_fail(text, "expected an option, TENSOR.scale or a number");
    argument->number = (float)(is_negative ? -number : number);
    return true;
}

static bool read_local_memory(LiteClText* text, Declaration* d, LiteClArgumentDecl* argument) {
    static const struct {
        const char* name;
        size_t bytes;
    } elements[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},   {"int", 4},
                    {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"float4", 16}};
    argument->kind = kLiteClArgumentLocal;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        if (!lite_cl_text_accept(text, elements[i].name)) continue;
        argument->bytes = elements[i].bytes;
        return read_size(text, d, &argument->size);
    }
    return lite_cl_text_fail(text, "expected the type of local memory: float, int, char …");
}

static bool read_argument(LiteClText* text, Declaration* d) {
    LiteClArgumentDecl* argument = &d->arguments[d->argument_count];
    if (d->argument_count == LITE_CL_CUSTOM_ARGUMENTS)
        return lite_cl_text_fail(text, "more than %d arguments", LITE_CL_CUSTOM_ARGUMENTS);
    *argument = (LiteClArgumentDecl){.tensor = -1, .option = -1};
    d->argument_count++;
    if (lite_cl_text_accept(text, "float")) return read_real(text, d, argument);
    if (lite_cl_text_accept(text, "local")) return read_local_memory(text, d, argument);
    const bool is_long = lite_cl_text_accept(text, "long");
    if (is_long || lite_cl_text_accept(text, "int")) {
        argument->kind = is_long ? kLiteClArgumentLong : kLiteClArgumentInt;
        return read_size(text, d, &argument->size);
    }
    argument->tensor = find_tensor(text, d);
    if (argument->tensor >= 0) return true;
    if (!lite_cl_text_accept(text, "status"))
        return lite_cl_text_fail(text, "expected a tensor, status, or int, long, float or local and a value");
    if (d->has_status) return lite_cl_text_fail(text, "a second status");
    argument->kind = kLiteClArgumentStatus;
    d->has_status = true;
    return true;
}

// NAME(ARGUMENT, …)
static bool read_kernel(LiteClText* text, Declaration* d) {
    if (d->kernel[0] != '\0') return lite_cl_text_fail(text, "a second kernel");
    d->kernel_line = text->line;
    if (!lite_cl_text_name(text, "the kernel's name", d->kernel) || !lite_cl_text_expect(text, "("))
        return false;
    while (!lite_cl_text_accept(text, ")")) {
        if (d->argument_count > 0 && !lite_cl_text_expect(text, ",")) return false;
        if (!read_argument(text, d)) return false;
    }
    return true;
}

static bool read_sizes(LiteClText* text, Declaration* d, int* count, int sizes[3]) {
    do {
        if (*count == 3) return lite_cl_text_fail(text, "more than 3 dimensions");
        if (!read_size(text, d, &sizes[(*count)++])) return false;
    } while (lite_cl_text_accept(text, ","));
    return true;
}

static bool read_work(LiteClText* text, Declaration* d) {
    if (d->work_count > 0) return lite_cl_text_fail(text, "a second size of the work");
    return read_sizes(text, d, &d->work_count, d->work);
}

static bool read_local(LiteClText* text, Declaration* d) {
    if (d->local_count > 0) return lite_cl_text_fail(text, "a second size of groups");
    return read_sizes(text, d, &d->local_count, d->local);
}

static const struct {
    const char* keyword;
    bool (*read)(LiteClText* text, Declaration* d);
} lines[] = {{"operator", read_operator}, {"input", read_input},     {"output", read_output},
             {"option", read_option},     {"require", read_require}, {"elementwise", read_elementwise},
             {"kernel", read_kernel},     {"work", read_work},       {"local", read_local}};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static bool read_line(LiteClText* text, Declaration* d) {
    if (lite_cl_text_ended(text)) return true;
    for (int i = 0; i < LINE_COUNT; i++) {
        if (!lite_cl_text_accept(text, lines[i].keyword)) continue;
        if (!lite_cl_text_expect(text, ":") || !lines[i].read(text, d)) return false;
        return lite_cl_text_ended(text) || lite_cl_text_fail(text, "expected the end of the line");
    }
    return lite_cl_text_fail(
        text, "expected operator, input, output, option, require, elementwise, kernel, work or local");
}

// Checks what only the whole declaration shows.
static bool check_whole(const LiteClText* text, const Declaration* d) {
    const bool is_formula = d->formula >= 0;
    int inputs = 0, outputs = 0;
    for (int i = 0; i < d->tensor_count; i++) *(d->tensors[i].is_output ? &outputs : &inputs) += 1;
    if (d->name[0] == '\0') return lite_cl_text_fail(text, "the operator has no name");
    if (outputs == 0) return lite_cl_text_fail(text, "the operator has no output");
    if (is_formula == (d->kernel[0] != '\0'))
        return lite_cl_text_fail(text, "an operator has either a formula (elementwise) or a kernel");
    if (!is_formula) return d->work_count > 0 || lite_cl_text_fail(text, "the kernel's work has no size");
    const unsigned floats = 1u << kTfLiteFloat32 | 1u << kTfLiteFloat16;
    for (int i = 0; i < inputs; i++) {
        if (d->tensors[i].is_optional || (d->tensors[i].types & ~floats) != 0)
            return lite_cl_text_fail(text, "inputs of a formula are float32 or float16, and not optional");
    }
    if (inputs < 1 || inputs > LITE_CL_CUSTOM_INPUTS || outputs != 1 || d->work_count + d->local_count > 0 ||
        d->tensors[inputs].like_type < 0 || d->tensors[inputs].like_shape < 0)
        return lite_cl_text_fail(text,
                                 "a formula has 1 to %d inputs, an output that is like one, and no work",
                                 LITE_CL_CUSTOM_INPUTS);
    return true;
}

// Steps over blank lines and lines of "//" before the declaration.
static const char* skip_lines(const char* source, LiteClText* text) {
    while (!lite_cl_text_ended(text) && text->end - text->at > 1 && text->at[0] == '/' &&
           text->at[1] == '/') {
        const char* newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
        text->at = newline != NULL ? newline : text->end;
    }
    for (const char* p = source; p < text->at; p++) text->line += *p == '\n' ? 1 : 0;
    return text->at;
}

bool lite_cl_declaration_read(const char* source, const char* file, const LiteReporter* reporter,
                              LiteClDeclaration* d) {
    memset(d, 0, sizeof *d);
    d->formula = -1;
    LiteClText text = {
        .at = source, .end = source + strlen(source), .file = file, .line = 1, .reporter = reporter};
    const char* at = skip_lines(source, &text);
    const char* end = strncmp(at, "/*", 2) == 0 ? strstr(at, "*/") : NULL;
    if (end == NULL) return lite_cl_text_fail(&text, "expected a comment that declares the operator");
    text.at = at + 2;
    text.end = end;
    if (!lite_cl_text_accept(&text, "oclite"))
        return lite_cl_text_fail(&text, "expected \"oclite\" at the beginning of the declaration");
    for (at = text.at; at < end; text.line++) {
        const char* newline = memchr(at, '\n', (size_t)(end - at));
        text.at = at;
        text.end = newline != NULL ? newline : end;
        if (!read_line(&text, d)) return false;
        at = text.end + (newline != NULL ? 1 : 0);
        if (newline == NULL) break;
    }
    return check_whole(&text, d);
}
