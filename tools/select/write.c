// SPDX-License-Identifier: Apache-2.0
#include "tools/select/write.h"
#include "tools/select/collect.h"

#include <ctype.h>
#include <string.h>

#include "tensorflow/lite/builtin_ops.h"

static const char kHead[] = "Made by oclite select: the operators of some models, and no others.";

static bool is_custom(const SelectOp* op) {
    return op->code == kTfLiteBuiltinCustom;
}

// Prints a text as a C string.
static void print_string(FILE* stream, const char* text) {
    fputc('"', stream);
    for (const char* c = text; *c; c++) {
        if (isalnum((unsigned char)*c) || *c == ' ' || strchr("_-+*/.,:;=<>()[]{}#&", *c) != NULL) {
            fputc(*c, stream);
        } else {
            fprintf(stream, "\\%03o", (unsigned char)*c);
        }
    }
    fputc('"', stream);
}

// Prints a text for a comment: characters that could end it become question marks.
static void print_plain(FILE* stream, const char* text) {
    for (const char* c = text; *c; c++) {
        fputc(isalnum((unsigned char)*c) || strchr("_-.:+ ", *c) != NULL ? *c : '?', stream);
    }
}

static void print_versions(FILE* stream, const SelectOp* op) {
    fprintf(stream, op->first == op->last ? "version %d" : "versions %d to %d", op->first, op->last);
}

// Prints the custom operators of the program, one comment line each.
static void print_own(FILE* stream, const Selection* selection, const char* mark) {
    for (int i = 0; i < selection->count; i++) {
        const SelectOp* op = &selection->ops[i];
        if (op->is_known) continue;
        fprintf(stream, "%s   ", mark);
        print_plain(stream, op->name);
        fprintf(stream, ", ");
        print_versions(stream, op);
        fprintf(stream, "\n");
    }
}

static bool has_own(const Selection* selection) {
    for (int i = 0; i < selection->count; i++) {
        if (!selection->ops[i].is_known) return true;
    }
    return false;
}

static void write_header(FILE* stream, const Selection* selection) {
    (void)selection;
    fprintf(stream,
            "// %s\n#ifndef SELECTED_OPS_H_\n#define SELECTED_OPS_H_\n\n"
            "#include \"tensorflow/lite/c/c_api.h\"\n\n"
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
            "// Adds the selected operators that the library has, for "
            "TfLiteInterpreterCreateWithSelectedOps.\n"
            "// kTfLiteError: it lacks one.\n"
            "TfLiteStatus oclite_register_selected_ops(TfLiteInterpreterOptions* options);\n\n"
            "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
            kHead);
}

static void write_c_row(FILE* stream, const SelectOp* op) {
    fprintf(stream, "    {%d, ", op->code);
    if (is_custom(op)) {
        print_string(stream, op->name);
    } else {
        fprintf(stream, "NULL");
    }
    fprintf(stream, ", %d, %d},", op->first, op->last);
    if (!is_custom(op)) fprintf(stream, " // %s", op->name);
    fprintf(stream, "\n");
}

static void write_c(FILE* stream, const Selection* selection) {
    fprintf(stream, "// %s\n", kHead);
    if (has_own(selection)) {
        fprintf(stream, "// The program adds its own by itself (TfLiteInterpreterOptionsAddOperator):\n");
        print_own(stream, selection, "//");
    }
    fprintf(stream, "#include \"selected_ops.h\"\n\n"
                    "#include <string.h>\n\n"
                    "#include \"oclite/oclite.h\"\n"
                    "#include \"tensorflow/lite/c/c_api_experimental.h\"\n\n"
                    "typedef struct SelectedOp {\n    int code;\n    const char* custom_name;\n"
                    "    int first_version;\n    int last_version;\n} SelectedOp;\n\n"
                    "static const SelectedOp selected_ops[] = {\n");
    for (int i = 0; i < selection->count; i++) {
        if (selection->ops[i].is_known) write_c_row(stream, &selection->ops[i]);
    }
    fprintf(stream,
            "    {-1, NULL, 0, 0},\n};\n\n"
            "static const TfLiteRegistration* find(const SelectedOp* op, int version) {\n"
            "    const TfLiteRegistration* found;\n"
            "    for (int i = 0; (found = oclite_operator(i)) != NULL; i++) {\n"
            "        if (found->builtin_code != op->code || found->version != version) continue;\n"
            "        if (op->custom_name == NULL || strcmp(found->custom_name, op->custom_name) == 0) return "
            "found;\n"
            "    }\n    return NULL;\n}\n\n"
            "static TfLiteStatus add(TfLiteInterpreterOptions* options, const SelectedOp* op) {\n"
            "    for (int version = op->first_version; version <= op->last_version; version++) {\n"
            "        const TfLiteRegistration* found = find(op, version);\n"
            "        if (found == NULL) return kTfLiteError;\n"
            "        if (op->custom_name != NULL) {\n"
            "            TfLiteInterpreterOptionsAddCustomOp(options, op->custom_name, found, version, "
            "version);\n"
            "        } else {\n"
            "            TfLiteInterpreterOptionsAddBuiltinOp(options, (TfLiteBuiltinOperator)op->code, "
            "found, version,\n"
            "                                                 version);\n"
            "        }\n    }\n    return kTfLiteOk;\n}\n\n"
            "TfLiteStatus oclite_register_selected_ops(TfLiteInterpreterOptions* options) {\n"
            "    for (const SelectedOp* op = selected_ops; op->code >= 0; op++) {\n"
            "        if (add(options, op) != kTfLiteOk) return kTfLiteError;\n"
            "    }\n    return kTfLiteOk;\n}\n");
}

// Prints ExtractFeatures as Register_EXTRACT_FEATURES: the reference's generator expects a function of the
// program with this name.
static void print_function(FILE* stream, const char* name) {
    fprintf(stream, "Register_");
    for (const char* c = name; *c; c++) {
        if (c != name && isupper((unsigned char)*c) && islower((unsigned char)c[-1])) fputc('_', stream);
        fputc(isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_', stream);
    }
}

static void write_cc_row(FILE* stream, const SelectOp* op) {
    if (!is_custom(op)) {
        fprintf(stream,
                "  resolver->AddBuiltin(::tflite::BuiltinOperator_%s, ::tflite::ops::builtin::Register_%s()",
                op->name, op->name);
    } else {
        fprintf(stream, "  resolver->AddCustom(");
        print_string(stream, op->name);
        fprintf(stream, op->is_known ? ", FromLibrary(" : ", ::tflite::ops::custom::");
        if (op->is_known) {
            print_string(stream, op->name);
            fprintf(stream, ")");
        } else {
            print_function(stream, op->name);
            fprintf(stream, "()");
        }
    }
    if (op->first != 1 || op->last != 1) fprintf(stream, ", %d, %d", op->first, op->last);
    fprintf(stream, ");\n");
}

static void write_cc(FILE* stream, const Selection* selection) {
    bool has_known_custom = false;
    for (int i = 0; i < selection->count; i++) {
        has_known_custom |= is_custom(&selection->ops[i]) && selection->ops[i].is_known;
    }
    fprintf(stream,
            "// %s\n%s#include \"tensorflow/lite/kernels/builtin_op_kernels.h\"\n"
            "#include \"tensorflow/lite/mutable_op_resolver.h\"\n\n",
            kHead, has_known_custom ? "#include <cstring>\n\n" : "");
    if (has_own(selection)) {
        fprintf(stream, "// The program's own.\nnamespace tflite {\nnamespace ops {\nnamespace custom {\n");
        for (int i = 0; i < selection->count; i++) {
            if (selection->ops[i].is_known) continue;
            fprintf(stream, "TfLiteRegistration* ");
            print_function(stream, selection->ops[i].name);
            fprintf(stream, "();\n");
        }
        fprintf(stream, "}  // namespace custom\n}  // namespace ops\n}  // namespace tflite\n\n");
    }
    if (has_known_custom) {
        fprintf(stream, "static const TfLiteRegistration* FromLibrary(const char* name) {\n"
                        "  for (int i = 0; const TfLiteRegistration* op = oclite_operator(i); ++i) {\n"
                        "    if (op->custom_name && std::strcmp(op->custom_name, name) == 0) return op;\n"
                        "  }\n  return nullptr;\n}\n\n");
    }
    fprintf(stream, "void RegisterSelectedOps(::tflite::MutableOpResolver* resolver) {\n");
    for (int i = 0; i < selection->count; i++) write_cc_row(stream, &selection->ops[i]);
    fprintf(stream, "}\n");
}

// Returns whether a name is an identifier. Operators of the library have no other names.
static bool is_identifier(const char* name) {
    for (const char* c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    }
    return *name != '\0';
}

static void print_cmake_list(FILE* stream, const Selection* selection, bool customs) {
    for (int i = 0; i < selection->count; i++) {
        const SelectOp* op = &selection->ops[i];
        if (is_custom(op) == customs && is_identifier(op->name)) fprintf(stream, "\n  %s", op->name);
    }
    fprintf(stream, ")\n");
}

static void write_cmake(FILE* stream, const Selection* selection) {
    fprintf(stream,
            "# %s\n# Libraries of these alone: cmake -DOCLITE_SELECTED_OPS=<this file>, or in a project that "
            "builds oclite itself\n#   set(OCLITE_SELECTED_OPS <this file>)\n"
            "#   add_subdirectory(oclite)\n#   target_link_libraries(program oclite::oclite_static)\n",
            kHead);
    if (has_own(selection)) {
        fprintf(stream, "# Operators of the program's own:\n");
        print_own(stream, selection, "#");
    }
    fprintf(stream, "set(OCLITE_OPERATORS");
    print_cmake_list(stream, selection, false);
    fprintf(stream, "set(OCLITE_CUSTOM_OPERATORS");
    print_cmake_list(stream, selection, true);
    fprintf(stream, "# Empty: all types.\nset(OCLITE_TYPES");
    select_print_types(stream, selection->types, "\n  ");
    fprintf(stream, ")\n");
}

const SelectFile select_files[] = {
    {"selected_ops.c", write_c},
    {"selected_ops.h", write_header},
    {"selected_ops.cc", write_cc},
    {"selected_ops.cmake", write_cmake},
    {NULL, NULL},
};
