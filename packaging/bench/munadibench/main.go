// Command munadibench is munadi's worker in the benchmark: the engine as a library, answering JSON lines on standard
// input as packaging/bench/worker.py describes. The driver chooses the cells to measure.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// benchRequest is one line from the driver.
type benchRequest struct {
	Do      string `json:"do"`
	Folder  string `json:"folder"`
	Head    string `json:"head"`
	Threads int    `json:"threads"`
	Clip    string `json:"clip"`
	File    string `json:"file"`
	Cache   string `json:"cache"` // a folder for unpacked files
	Cell    string `json:"cell"`
	Variant string `json:"variant"`
	Repeat  int    `json:"repeat"`

	Precision string    `json:"precision"`  // of an import
	Length    float64   `json:"length"`     // seconds of the file that are streamed
	LatencyMS int64     `json:"latency_ms"` // of a live stream; 0: the model's usual one
	Partials  bool      `json:"partials"`   // a live stream emits partial texts, too
	Stretches []stretch `json:"stretches"`  // the audio to decode
}

// benchAnswer is one line to the driver; fields that were not requested are omitted.
type benchAnswer struct {
	Variants map[string][]string `json:"variants,omitempty"`
	Version  string              `json:"version,omitempty"`
	Seconds  float64             `json:"seconds,omitempty"` // per repetition
	Text     []string            `json:"text,omitempty"`
	Tokens   int                 `json:"tokens,omitempty"`
	Bytes    int64               `json:"bytes,omitempty"`
	Error    string              `json:"error,omitempty"`

	Processor float64   `json:"processor,omitempty"` // seconds
	Latencies []int64   `json:"latencies,omitempty"` // ms; the usual one first
	Texts     []stretch `json:"texts,omitempty"`     // so far
	Turns     []stretch `json:"turns,omitempty"`
}

func main() {
	if err := serveRequests(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "munadibench:", err)
		os.Exit(1)
	}
}

// serveRequests answers line by line until the input ends; a request that fails is an answer too.
func serveRequests(in io.Reader, out io.Writer) error {
	var b engineBench
	defer b.closeEngine()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var q benchRequest
		a, err := benchAnswer{}, json.Unmarshal(lines.Bytes(), &q)
		if err == nil {
			a, err = b.handleRequest(context.Background(), q)
		}
		if err != nil {
			a = benchAnswer{Error: err.Error()}
		}
		if err := enc.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (b *engineBench) handleRequest(ctx context.Context, q benchRequest) (benchAnswer, error) {
	if b.engine == nil && slices.Contains([]string{"run", "tokens", "latencies", "live", "decode"}, q.Do) {
		return benchAnswer{}, fmt.Errorf("%s before load", q.Do)
	}
	switch q.Do {
	case "load":
		return b.loadModel(q)
	case "run":
		return b.timeCell(ctx, q)
	case "tokens":
		n, err := b.countTokens(ctx)
		return benchAnswer{Tokens: n}, err
	case "import":
		return benchAnswer{}, importCheckpoint(q)
	case "latencies":
		return benchAnswer{Latencies: b.liveLatencies()}, nil
	case "live":
		return b.streamLive(ctx, q)
	case "decode":
		return b.decodeStretches(ctx, q)
	case "peak":
		n, err := peakBytes()
		return benchAnswer{Bytes: n}, err
	}
	return benchAnswer{}, fmt.Errorf("unknown request %q", q.Do)
}

func (b *engineBench) timeCell(ctx context.Context, q benchRequest) (benchAnswer, error) {
	cell, ok := b.benchCells()[q.Cell]
	if !ok {
		return benchAnswer{}, fmt.Errorf("unknown cell %q", q.Cell)
	}
	if q.Repeat < 1 {
		return benchAnswer{}, fmt.Errorf("repeat is %d, want at least 1", q.Repeat)
	}
	var texts []string
	begin := time.Now()
	for range q.Repeat {
		var err error
		if texts, err = cell(ctx); err != nil {
			return benchAnswer{}, err
		}
	}
	return benchAnswer{Seconds: time.Since(begin).Seconds() / float64(q.Repeat), Text: texts}, nil
}

// peakBytes returns the peak resident memory of this process.
func peakBytes() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	if _, err := fmt.Sscanf(rest, "%d kB", &kib); err != nil {
		return 0, fmt.Errorf("read VmHWM: %w", err)
	}
	return kib * 1024, nil
}
