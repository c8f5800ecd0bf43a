// SPDX-License-Identifier: Apache-2.0
package clients

import (
	"bytes"
	"encoding/binary"
	"os"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

func open(t *testing.T, name string, options *Options) *Interpreter {
	t.Helper()
	model := NewModelFromFile(name)
	if model == nil {
		t.Fatalf("cannot load %s", name)
	}
	t.Cleanup(model.Delete)
	interpreter := NewInterpreter(model, options)
	if interpreter == nil {
		t.Fatal("no interpreter")
	}
	t.Cleanup(interpreter.Delete)
	return interpreter
}

func expect(t *testing.T, found, expected interface{}) {
	t.Helper()
	if !reflect.DeepEqual(found, expected) {
		t.Fatalf("found %v, expected %v", found, expected)
	}
}

// By slices over the tensors, which stay where they are.
func runXOR(t *testing.T, input, output *Tensor, invoke func() Status) {
	t.Helper()
	for _, test := range [][]float32{{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}} {
		copy(input.Floats(), test[:2])
		expect(t, invoke(), OK)
		expect(t, output.Floats(), test[2:])
	}
}

func TestXOR(t *testing.T) {
	options := NewOptions()
	defer options.Delete()
	options.SetThreads(2)
	options.SetUseNNAPI(true)
	copied := options.Copy()
	defer copied.Delete()
	for _, with := range []*Options{nil, options, copied} {
		i := open(t, "xor.tflite", with)
		expect(t, i.Allocate(), OK)
		expect(t, i.Signatures(), 0)
		expect(t, i.Variables(), 0)
		expect(t, i.ResetVariables(), OK)
		runXOR(t, i.Input(0), i.Output(0), i.Invoke)
	}
}

func TestModelOfBytes(t *testing.T) {
	contents, err := os.ReadFile("xor.tflite")
	if err != nil {
		t.Fatal(err)
	}
	model := NewModel(contents)
	i := NewInterpreter(model, nil)
	expect(t, i.Allocate(), OK)
	runXOR(t, i.Input(0), i.Output(0), i.Invoke)
	i.Delete()
	model.Delete() // and its bytes
	if NewModel(contents[:100]) != nil || NewModelFromFile("absent.tflite") != nil {
		t.Fatal("a model out of nothing")
	}
}

func TestTensors(t *testing.T) {
	i := open(t, "xor.tflite", nil)
	expect(t, i.Allocate(), OK)
	expect(t, len(i.InputIndices()), i.Inputs())
	expect(t, i.InputIndices()[0], i.InputIndex(0))
	expect(t, i.OutputIndices()[0], i.OutputIndex(0))
	expect(t, i.Tensor(i.InputIndex(0)).Name(), i.Input(0).Name())
	expect(t, i.Tensor(i.OutputIndex(0)).Name(), i.Output(0).Name())
	expect(t, i.Input(0).Name(), "x")
	expect(t, i.Input(0).Type(), 1)
	if i.Input(1) != nil || i.Output(-1) != nil {
		t.Fatal("a tensor out of nothing")
	}
	expect(t, i.Resize(0, []int32{3, 2}), OK)
	expect(t, i.Allocate(), OK)
	expect(t, i.Input(0).Shape(), []int{3, 2})
	expect(t, i.Output(0).Shape(), []int{3, 1})
	values := []float32{0, 1, 1, 1, 1, 0}
	expect(t, i.Input(0).CopyFrom(unsafe.Pointer(&values[0]), i.Input(0).Bytes()), OK)
	expect(t, i.Input(0).CopyFrom(unsafe.Pointer(&values[0]), 4), Status(1))
	expect(t, i.Invoke(), OK)
	results := make([]float32, 3)
	expect(t, i.Output(0).CopyTo(unsafe.Pointer(&results[0]), 12), OK)
	expect(t, results, []float32{1, 0, 1})
}

func TestSignatureRunner(t *testing.T) {
	i := open(t, "xor_signature.tflite", nil)
	expect(t, i.Signatures(), 1)
	expect(t, i.Key(0), "serving_default")
	if i.Runner("absent") != nil {
		t.Fatal("a signature out of nothing")
	}
	r := i.Runner(i.Key(0))
	defer r.Delete()
	expect(t, r.Allocate(), OK)
	expect(t, []int{r.Inputs(), r.Outputs()}, []int{1, 1})
	runXOR(t, r.Input(r.InputName(0)), r.Output(r.OutputName(0)), r.Invoke)
	if r.Input("absent") != nil || r.Cancel() == OK {
		t.Fatal("an input, or a way to cancel, out of nothing")
	}
	expect(t, r.Resize("a", []int32{1, 2}), OK)
}

func TestQuantization(t *testing.T) {
	i := open(t, "quantized.tflite", nil)
	scale, zero := i.Input(0).Quantization()
	expect(t, []interface{}{scale, zero}, []interface{}{float32(0.5), -3})
	scale, zero = i.Output(0).Quantization()
	expect(t, []interface{}{scale, zero}, []interface{}{float32(0), 0})
}

func TestReporter(t *testing.T) {
	var messages []string
	options := NewOptions()
	options.SetReporter(func(text string) { messages = append(messages, text) })
	i := open(t, "custom.tflite", options)
	options.Delete()
	if i.Allocate() == OK {
		t.Fatal("an operator out of nothing")
	}
	if len(messages) == 0 || !strings.HasPrefix(messages[0], "Encountered unresolved custom op: Twice.") {
		t.Fatalf("messages: %v", messages)
	}
}

func TestOperators(t *testing.T) {
	options := NewOptions()
	options.AddTwice("Twice")
	i := open(t, "custom.tflite", options)
	options.Delete()
	expect(t, i.Allocate(), OK)
	copy(i.Input(0).Floats(), []float32{1, 2, 3})
	expect(t, i.Invoke(), OK)
	expect(t, i.Output(0).Floats(), []float32{2, 4, 6})

	options = NewOptions()
	options.AddBuiltinTwice(19) // RELU
	i = open(t, "relu.tflite", options)
	options.Delete()
	expect(t, i.Allocate(), OK)
	copy(i.Input(0).Floats(), []float32{-1, 2, 3})
	expect(t, i.Invoke(), OK)
	expect(t, i.Output(0).Floats(), []float32{-2, 4, 6})
}

// A binding writes strings into the fields of the tensor.
func TestStrings(t *testing.T) {
	i := open(t, "strings.tflite", nil)
	expect(t, i.Allocate(), OK)
	var given []unsafe.Pointer
	for _, words := range [][]string{{"Go"}, {"some", "", "words"}} {
		var head, body bytes.Buffer
		offset := int32(4 * (2 + len(words)))
		binary.Write(&head, binary.LittleEndian, int32(len(words)))
		for _, word := range words {
			binary.Write(&head, binary.LittleEndian, offset+int32(body.Len()))
			body.WriteString(word)
		}
		binary.Write(&head, binary.LittleEndian, offset+int32(body.Len()))
		encoded := append(head.Bytes(), body.Bytes()...)
		given = append(given, i.Input(0).GiveStrings(encoded, len(words)))
		expect(t, i.Allocate(), OK)
		expect(t, i.Invoke(), OK)
		expect(t, i.Output(0).Contents(), encoded)
	}
	t.Cleanup(func() { // before the interpreter goes, which does not own them
		for _, data := range given {
			free(data)
		}
	})
}

func TestWeightsCache(t *testing.T) {
	cache := NewWeightsCache()
	t.Cleanup(cache.Delete) // the last, by the order of these calls
	var interpreters []*Interpreter
	for n := 0; n < 2; n++ {
		options := NewOptions()
		delegate := NewXNNPack(n+1, 3, cache)
		t.Cleanup(delegate.Delete)
		expect(t, delegate.Flags(), 3)
		options.AddDelegate(delegate)
		i := open(t, "xor.tflite", options)
		options.Delete()
		expect(t, i.Allocate(), OK)
		interpreters = append(interpreters, i)
	}
	expect(t, cache.FinalizeHard(), true)
	for _, i := range interpreters {
		runXOR(t, i.Input(0), i.Output(0), i.Invoke)
	}
}

func TestExternalDelegate(t *testing.T) {
	if NewExternal("absent.so", nil) != nil {
		t.Fatal("a delegate out of nothing")
	}
	path := os.Getenv("OCLITE_OPENCL")
	if NewExternal(path, map[string]string{"colour": "red"}) != nil {
		t.Fatal("an option out of nothing")
	}
	delegate := NewExternal(path, map[string]string{"device": "any", "min_nodes": "1"})
	if delegate == nil {
		t.Skip("no OpenCL device")
	}
	t.Cleanup(delegate.Delete) // after the interpreter, by the order of these calls
	options := NewOptions()
	options.SetFallback(true)
	i := open(t, "xor.tflite", options)
	options.Delete()
	expect(t, i.Modify(delegate), OK)
	expect(t, i.Allocate(), OK)
	runXOR(t, i.Input(0), i.Output(0), i.Invoke)
}

func TestVersion(t *testing.T) {
	if Version() == "" || Schema() != 3 {
		t.Fatalf("version %q, schema %d", Version(), Schema())
	}
}
