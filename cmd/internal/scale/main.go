// Command scale runs bundles through the stages of the translator and measures the cost of
// each: executed blocks of statements, from coverage counters, and allocated bytes. Its test
// compiles it with counters and checks that both grow no faster than the bundle. The numbers
// do not depend on the load of the machine.
//
// A job on standard input is a JSON object (Job), and so is a result on standard output (Result).
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"runtime"
	"runtime/coverage"
	"runtime/debug"
)

func main() {
	log.SetFlags(0)
	debug.SetGCPercent(400) // allocations are measured, not collections
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var job Job
		err := in.Decode(&job)
		if err == io.EOF {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		res, err := measure(&job)
		if err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(res); err != nil {
			log.Fatal(err)
		}
	}
}

// A Result holds the cost of a job. Error is the first error, if the input is refused.
type Result struct {
	Steps, Bytes uint64
	Error        string
}

// measure executes a job and reads the counters.
func measure(job *Job) (res Result, err error) {
	if err := coverage.ClearCounters(); err != nil {
		return res, err
	}
	res = allocated(job)
	var data bytes.Buffer
	if err := coverage.WriteCounters(&data); err != nil {
		return res, err
	}
	res.Steps, err = total(data.Bytes())
	return res, err
}

// allocated executes a job; its result has no steps.
func allocated(job *Job) (res Result) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res.Error = job.do()
	runtime.ReadMemStats(&after)
	res.Bytes = after.TotalAlloc - before.TotalAlloc
	return res
}

// The format of counters, internal/coverage/defs.go in Go's sources: a header with a version; the
// head of a segment with the number of functions and the lengths of two tables that follow; for
// each function the number of its counters, two numbers that name it, and the counters; a footer.
const (
	headerSize  = 32
	formVersion = 1
	formVarint  = 2 // numbers are LEB128
	segmentSize = 16
)

var errForm = errors.New("coverage counters in a form that is not known")

// total adds up counters.
func total(data []byte) (sum uint64, err error) {
	if len(data) < headerSize+segmentSize || !bytes.HasPrefix(data, []byte("\x00cwm")) ||
		binary.LittleEndian.Uint32(data[4:]) != formVersion || data[24] != formVarint {
		return 0, errForm
	}
	data = data[headerSize:]
	functions := binary.LittleEndian.Uint64(data)
	tables := uint64(binary.LittleEndian.Uint32(data[8:])) + uint64(binary.LittleEndian.Uint32(data[12:]))
	data = data[segmentSize:]
	if tables > uint64(len(data)) {
		return 0, errForm
	}
	data = data[tables:]
	number := func() (x uint64) {
		x, n := binary.Uvarint(data)
		if n <= 0 {
			err, n = errForm, 0
		}
		data = data[n:]
		return x
	}
	for range functions {
		counters := number()
		number()
		number()
		for range counters {
			sum += number()
			if err != nil {
				return 0, err
			}
		}
	}
	return sum, err
}
