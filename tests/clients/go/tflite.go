// SPDX-License-Identifier: Apache-2.0

// Package clients calls the C library as Go's bindings do: through cgo, with a reporter that takes a va_list,
// models of bytes and of files, slices over tensors, runners of signatures, operators and delegates.
package clients

// #include "shim.h"
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

type Status int

const OK Status = C.kTfLiteOk

type Model struct {
	m    *C.TfLiteModel
	data unsafe.Pointer
}

func NewModel(contents []byte) *Model {
	data := C.CBytes(contents)
	m := C.TfLiteModelCreate(data, C.size_t(len(contents)))
	if m == nil {
		C.free(data)
		return nil
	}
	return &Model{m, data}
}

func NewModelFromFile(path string) *Model {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	m := C.TfLiteModelCreateFromFile(name)
	if m == nil {
		return nil
	}
	return &Model{m: m}
}

func (m *Model) Delete() {
	C.TfLiteModelDelete(m.m)
	C.free(m.data)
}

type Options struct {
	o        *C.TfLiteInterpreterOptions
	reporter cgo.Handle
}

func NewOptions() *Options { return &Options{o: C.TfLiteInterpreterOptionsCreate()} }

func (o *Options) Copy() *Options { return &Options{o: C.TfLiteInterpreterOptionsCopy(o.o)} }

func (o *Options) SetThreads(count int) {
	C.TfLiteInterpreterOptionsSetNumThreads(o.o, C.int32_t(count))
}

func (o *Options) SetReporter(report func(string)) {
	o.reporter = cgo.NewHandle(report)
	C.shim_set_reporter(o.o, C.uintptr_t(o.reporter))
}

//export goReport
func goReport(handle C.uintptr_t, text *C.char) {
	cgo.Handle(handle).Value().(func(string))(C.GoString(text))
}

func (o *Options) SetUseNNAPI(enable bool) {
	C.TfLiteInterpreterOptionsSetUseNNAPI(o.o, C.bool(enable))
}

func (o *Options) SetFallback(enable bool) {
	C.TfLiteInterpreterOptionsSetEnableDelegateFallback(o.o, C.bool(enable))
}

func (o *Options) EnableCancellation() Status {
	return Status(C.TfLiteInterpreterOptionsEnableCancellation(o.o, true))
}

// AddTwice registers an operator; the registration is never freed, as in bindings.
func (o *Options) AddTwice(name string) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	C.TfLiteInterpreterOptionsAddCustomOp(o.o, text, C.shim_twice(), 1, 1)
}

func (o *Options) AddBuiltinTwice(code int) {
	C.TfLiteInterpreterOptionsAddBuiltinOp(o.o, C.TfLiteBuiltinOperator(code), C.shim_twice(), 1, 1)
}

func (o *Options) AddDelegate(d *Delegate) { C.TfLiteInterpreterOptionsAddDelegate(o.o, d.d) }

func (o *Options) Delete() { C.TfLiteInterpreterOptionsDelete(o.o) }

type Interpreter struct{ i *C.TfLiteInterpreter }

func NewInterpreter(model *Model, options *Options) *Interpreter {
	var o *C.TfLiteInterpreterOptions
	if options != nil {
		o = options.o
	}
	i := C.TfLiteInterpreterCreate(model.m, o)
	if i == nil {
		return nil
	}
	return &Interpreter{i}
}

func (i *Interpreter) Delete()          { C.TfLiteInterpreterDelete(i.i) }
func (i *Interpreter) Allocate() Status { return Status(C.TfLiteInterpreterAllocateTensors(i.i)) }
func (i *Interpreter) Invoke() Status   { return Status(C.TfLiteInterpreterInvoke(i.i)) }
func (i *Interpreter) ResetVariables() Status {
	return Status(C.TfLiteInterpreterResetVariableTensors(i.i))
}
func (i *Interpreter) Variables() int { return int(C.TfLiteInterpreterGetVariableTensorCount(i.i)) }
func (i *Interpreter) Inputs() int    { return int(C.TfLiteInterpreterGetInputTensorCount(i.i)) }
func (i *Interpreter) Outputs() int   { return int(C.TfLiteInterpreterGetOutputTensorCount(i.i)) }

func (i *Interpreter) Resize(input int, dims []int32) Status {
	return Status(C.TfLiteInterpreterResizeInputTensor(i.i, C.int32_t(input), (*C.int)(unsafe.Pointer(&dims[0])),
		C.int32_t(len(dims))))
}

func (i *Interpreter) Modify(d *Delegate) Status {
	return Status(C.TfLiteInterpreterModifyGraphWithDelegate(i.i, d.d))
}

func indices(first *C.int, count int) []int {
	result := []int{}
	for _, index := range unsafe.Slice(first, count) {
		result = append(result, int(index))
	}
	return result
}

func (i *Interpreter) InputIndices() []int {
	return indices(C.TfLiteInterpreterInputTensorIndices(i.i), i.Inputs())
}
func (i *Interpreter) OutputIndices() []int {
	return indices(C.TfLiteInterpreterOutputTensorIndices(i.i), i.Outputs())
}
func (i *Interpreter) InputIndex(n int) int {
	return int(C.TfLiteInterpreterGetInputTensorIndex(i.i, C.int32_t(n)))
}
func (i *Interpreter) OutputIndex(n int) int {
	return int(C.TfLiteInterpreterGetOutputTensorIndex(i.i, C.int32_t(n)))
}

type Tensor struct{ t *C.TfLiteTensor }

func tensor(t *C.TfLiteTensor) *Tensor {
	if t == nil {
		return nil
	}
	return &Tensor{t}
}

func (i *Interpreter) Tensor(n int) *Tensor {
	return tensor(C.TfLiteInterpreterGetTensor(i.i, C.int(n)))
}
func (i *Interpreter) Input(n int) *Tensor {
	return tensor(C.TfLiteInterpreterGetInputTensor(i.i, C.int32_t(n)))
}
func (i *Interpreter) Output(n int) *Tensor {
	return tensor(C.TfLiteInterpreterGetOutputTensor(i.i, C.int32_t(n)))
}

func (t *Tensor) Type() int    { return int(C.TfLiteTensorType(t.t)) }
func (t *Tensor) Name() string { return C.GoString(C.TfLiteTensorName(t.t)) }
func (t *Tensor) Bytes() int   { return int(C.TfLiteTensorByteSize(t.t)) }
func (t *Tensor) Floats() []float32 {
	return unsafe.Slice((*float32)(C.TfLiteTensorData(t.t)), t.Bytes()/4)
}

func (t *Tensor) Shape() []int {
	shape := make([]int, int(C.TfLiteTensorNumDims(t.t)))
	for d := range shape {
		shape[d] = int(C.TfLiteTensorDim(t.t, C.int32_t(d)))
	}
	return shape
}

func (t *Tensor) Quantization() (float32, int) {
	params := C.TfLiteTensorQuantizationParams(t.t)
	return float32(params.scale), int(params.zero_point)
}

func (t *Tensor) CopyFrom(data unsafe.Pointer, size int) Status {
	return Status(C.TfLiteTensorCopyFromBuffer(t.t, data, C.size_t(size)))
}

func (t *Tensor) CopyTo(data unsafe.Pointer, size int) Status {
	return Status(C.TfLiteTensorCopyToBuffer(t.t, data, C.size_t(size)))
}

// GiveStrings returns what the caller frees when the interpreter is gone.
func (t *Tensor) GiveStrings(encoded []byte, count int) unsafe.Pointer {
	data := C.CBytes(encoded)
	C.shim_give_strings(t.t, (*C.char)(data), C.size_t(len(encoded)), C.int(count))
	return data
}

func free(data unsafe.Pointer) { C.free(data) }

func (t *Tensor) Contents() []byte { return C.GoBytes(C.TfLiteTensorData(t.t), C.int(t.Bytes())) }

type Runner struct{ r *C.TfLiteSignatureRunner }

func (i *Interpreter) Signatures() int { return int(C.TfLiteInterpreterGetSignatureCount(i.i)) }
func (i *Interpreter) Key(n int) string {
	return C.GoString(C.TfLiteInterpreterGetSignatureKey(i.i, C.int32_t(n)))
}

func (i *Interpreter) Runner(key string) *Runner {
	text := C.CString(key)
	defer C.free(unsafe.Pointer(text))
	r := C.TfLiteInterpreterGetSignatureRunner(i.i, text)
	if r == nil {
		return nil
	}
	return &Runner{r}
}

func (r *Runner) Delete()          { C.TfLiteSignatureRunnerDelete(r.r) }
func (r *Runner) Allocate() Status { return Status(C.TfLiteSignatureRunnerAllocateTensors(r.r)) }
func (r *Runner) Invoke() Status   { return Status(C.TfLiteSignatureRunnerInvoke(r.r)) }
func (r *Runner) Cancel() Status   { return Status(C.TfLiteSignatureRunnerCancel(r.r)) }
func (r *Runner) Inputs() int      { return int(C.TfLiteSignatureRunnerGetInputCount(r.r)) }
func (r *Runner) Outputs() int     { return int(C.TfLiteSignatureRunnerGetOutputCount(r.r)) }
func (r *Runner) InputName(n int) string {
	return C.GoString(C.TfLiteSignatureRunnerGetInputName(r.r, C.int32_t(n)))
}
func (r *Runner) OutputName(n int) string {
	return C.GoString(C.TfLiteSignatureRunnerGetOutputName(r.r, C.int32_t(n)))
}

func (r *Runner) Input(name string) *Tensor {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return tensor(C.TfLiteSignatureRunnerGetInputTensor(r.r, text))
}

func (r *Runner) Output(name string) *Tensor {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return tensor(C.TfLiteSignatureRunnerGetOutputTensor(r.r, text))
}

func (r *Runner) Resize(name string, dims []int32) Status {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return Status(C.TfLiteSignatureRunnerResizeInputTensor(r.r, text, (*C.int)(unsafe.Pointer(&dims[0])),
		C.int32_t(len(dims))))
}

func Version() string { return C.GoString(C.TfLiteVersion()) }
func Schema() int     { return int(C.TfLiteSchemaVersion()) }

type Delegate struct {
	d      *C.TfLiteDelegate
	delete func()
}

func (d *Delegate) Delete() { d.delete() }

type WeightsCache struct {
	c *C.struct_TfLiteXNNPackDelegateWeightsCache
}

func NewWeightsCache() *WeightsCache {
	return &WeightsCache{C.TfLiteXNNPackDelegateWeightsCacheCreate()}
}
func (w *WeightsCache) FinalizeHard() bool {
	return bool(C.TfLiteXNNPackDelegateWeightsCacheFinalizeHard(w.c))
}
func (w *WeightsCache) Delete() { C.TfLiteXNNPackDelegateWeightsCacheDelete(w.c) }

func NewXNNPack(threads int, flags uint32, cache *WeightsCache) *Delegate {
	options := C.TfLiteXNNPackDelegateOptionsDefault()
	options.num_threads = C.int32_t(threads)
	options.flags |= C.uint32_t(flags)
	if cache != nil {
		options.weights_cache = cache.c
	}
	d := C.TfLiteXNNPackDelegateCreate(&options)
	return &Delegate{d, func() { C.TfLiteXNNPackDelegateDelete(d) }}
}

func (d *Delegate) Flags() int { return int(C.TfLiteXNNPackDelegateGetFlags(d.d)) }

// NewExternal returns nil where the library cannot be loaded, or has no delegate to offer.
func NewExternal(path string, options map[string]string) *Delegate {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	with := C.TfLiteExternalDelegateOptionsDefault(name)
	for key, value := range options {
		k, v := C.CString(key), C.CString(value)
		defer C.free(unsafe.Pointer(k))
		defer C.free(unsafe.Pointer(v))
		if C.TfLiteExternalDelegateOptionsInsert(&with, k, v) != C.kTfLiteOk {
			return nil
		}
	}
	d := C.TfLiteExternalDelegateCreate(&with)
	if d == nil {
		return nil
	}
	return &Delegate{d, func() { C.TfLiteExternalDelegateDelete(d) }}
}
