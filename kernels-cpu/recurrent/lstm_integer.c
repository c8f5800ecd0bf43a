// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/lstm_integer.h"
#include "core/base/cancel.h"

TfLiteStatus lite_lstm_integer_multiply(const LiteLstmRun* run, int product, int32_t rows,
                                        const int8_t* input, LiteTileSink sink, const void* argument) {
    const LiteLstmQuant* q = &run->cell->quant;
    const LiteGemm gemm = lite_recurrent_product(&run->cell->recurrent, product, rows);
    const LiteGemmInput in = {kTfLiteInt8, input, product == kLiteOfState ? &q->state_zero : &q->input_zero,
                              false};
    return lite_gemm_run_int(run->context, run->op, &gemm, &in, sink, argument);
}

void lite_lstm_integer_scatter(const LiteLstmRun* run, int32_t step) {
    const LiteLstmIo* io = run->io;
    lite_sequence_scatter(&io->sequence, step, run->views->output_state.data, (size_t)run->views->outputs,
                          io->output, (size_t)io->output_width);
}

TfLiteStatus lite_lstm_integer_run(const LiteLstmInteger* integer) {
    const LiteLstmRun* run = integer->run;
    const LiteSequence* s = &run->io->sequence;
    const int32_t chunk = lite_sequence_chunk(s);
    for (int32_t first = 0; first < s->steps; first += chunk) {
        const int32_t count = s->steps - first < chunk ? s->steps - first : chunk;
        lite_sequence_gather(s, first, count, run->io->input->data, (size_t)run->weights[kLiteOfInput].depth,
                             integer->rows);
        LITE_TRY(integer->multiply(run, kLiteOfInput, s->batches * count, integer->rows, integer->products));
        for (int32_t i = 0; i < count; i++) {
            char* products = (char*)integer->products + (size_t)i * integer->step_bytes;
            if (lite_cancelled()) return kTfLiteOk; // the state remains that of the last step
            LITE_TRY(integer->advance(run, integer->buffers, first + i, products));
        }
    }
    return kTfLiteOk;
}
