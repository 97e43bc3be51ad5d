// Command munadibench is munadi's worker in the benchmark: the engine as a library, answering JSON lines on standard
// input as packaging/bench/worker.py describes. It knows the cells that are measured; the driver knows the rest.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// request is one line from the driver.
type request struct {
	Do      string `json:"do"`
	Folder  string `json:"folder"`
	Head    string `json:"head"`
	Threads int    `json:"threads"`
	Clip    string `json:"clip"`
	File    string `json:"file"`
	Cache   string `json:"cache"` // a folder for what is unpacked
	Cell    string `json:"cell"`
	Variant string `json:"variant"`
	Repeat  int    `json:"repeat"`
}

// answer is one line to the driver; what a request does not ask for is left out.
type answer struct {
	Variants map[string][]string `json:"variants,omitempty"`
	Version  string              `json:"version,omitempty"`
	Seconds  float64             `json:"seconds,omitempty"` // per repetition
	Text     []string            `json:"text,omitempty"`
	Tokens   int                 `json:"tokens,omitempty"`
	Bytes    int64               `json:"bytes,omitempty"`
	Error    string              `json:"error,omitempty"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "munadibench:", err)
		os.Exit(1)
	}
}

// serve answers line by line until the input ends; a request that fails is an answer too.
func serve(in io.Reader, out io.Writer) error {
	var b bench
	defer b.close()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var q request
		a, err := answer{}, json.Unmarshal(lines.Bytes(), &q)
		if err == nil {
			a, err = b.handle(context.Background(), q)
		}
		if err != nil {
			a = answer{Error: err.Error()}
		}
		if err := enc.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (b *bench) handle(ctx context.Context, q request) (answer, error) {
	if b.engine == nil && (q.Do == "run" || q.Do == "tokens") {
		return answer{}, fmt.Errorf("%s before load", q.Do)
	}
	switch q.Do {
	case "load":
		return b.load(q)
	case "run":
		return b.timed(ctx, q)
	case "tokens":
		n, err := b.tokens(ctx)
		return answer{Tokens: n}, err
	case "peak":
		n, err := peakBytes()
		return answer{Bytes: n}, err
	}
	return answer{}, fmt.Errorf("unknown request %q", q.Do)
}

func (b *bench) timed(ctx context.Context, q request) (answer, error) {
	cell, ok := b.cells()[q.Cell]
	if !ok {
		return answer{}, fmt.Errorf("unknown cell %q", q.Cell)
	}
	if q.Repeat < 1 {
		return answer{}, fmt.Errorf("repeat is %d, want at least 1", q.Repeat)
	}
	var texts []string
	begin := time.Now()
	for range q.Repeat {
		var err error
		if texts, err = cell(ctx); err != nil {
			return answer{}, err
		}
	}
	return answer{Seconds: time.Since(begin).Seconds() / float64(q.Repeat), Text: texts}, nil
}

// peakBytes is the highest resident memory of this process so far.
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
