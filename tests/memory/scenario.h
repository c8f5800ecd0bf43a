// SPDX-License-Identifier: Apache-2.0
// What a program does with the library, from nothing to nothing, so that it can be repeated with each of its
// allocations failing.
#ifndef TESTS_MEMORY_SCENARIO_H_
#define TESTS_MEMORY_SCENARIO_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"

typedef enum OpenClUse {
    kNoOpenCl,
    kColdOpenCl, // opens the device and compiles its programs each time
    kLinkOpenCl, // the same, and links kernels into one, which takes so long that only some allocations fail
    kWarmOpenCl, // finds an open device with all programs: the first run may leave some there
} OpenClUse;

typedef struct Scenario {
    const char* name;
    // Does it, releases everything it made, and returns whether all of it succeeded. Results go through
    // `observe`; it exits where one is wrong.
    bool (*run)(const void* data);
    const void* data;
    OpenClUse opencl;
} Scenario;

extern const Scenario model_scenarios[], object_scenarios[], async_scenarios[];
extern const int model_scenario_count, object_scenario_count, async_scenario_count;

extern const char* models_folder; // with atan.tflite, digits.tflite, digits_int8.tflite
extern const char* plugin_path;   // tests/api/plugin.c as a library

// The first run of a scenario, in which nothing fails, records what is observed; later ones must observe the
// same, as far as they get. Floats may differ as the results of different devices do.
void observe(const void* bytes, size_t size);
void observe_tensor(const TfLiteTensor* tensor);

// An error reporter: prints in the first run.
void report_message(void* user_data, const char* format, va_list args);

// Exits with a message unless `condition` holds: for what no failing allocation excuses.
void require(bool condition, const char* message);

// Loads a model from a file and runs it as the model scenarios do: `data` is the path.
bool run_model_file(const void* data);

// A graph built by hand, and a model from its root table; `data` is not used.
bool run_built_graph(const void* data);
bool run_root_table(const void* data);

// Models, written in memory; release with free().
uint8_t* model_with_loop(size_t* size);      // WHILE, in which a tensor grows
uint8_t* model_with_strings(size_t* size);   // hash tables of strings, filled by CALL_ONCE; RANGE
uint8_t* model_with_variables(size_t* size); // two signatures that share a resource variable
uint8_t* model_of_abs(size_t* size);         // two ABS in a row

// A delegate that takes ADD, RESHAPE and the custom operator Atan on floats, by way of a temporary tensor.
// NULL when out of memory; TfLiteOpaqueDelegateDelete.
TfLiteOpaqueDelegate* test_delegate_create(void);

// Writes the same values, which depend on the type, to an input; false when out of memory, and for many
// strings.
bool fill_input(TfLiteTensor* tensor);

#endif
