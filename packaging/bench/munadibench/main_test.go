package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// A worker must answer each line with one line, whatever the line says: the driver waits for it.
func TestServeAnswersEveryLine(t *testing.T) {
	t.Parallel()
	cases := []struct{ line, wantError string }{
		{`{"do":"peak"}`, ""},
		{`{"do":"dance"}`, "unknown request"},
		{`{"do":"run","cell":"clip","repeat":1}`, "before load"},
		{`{"do":"tokens"}`, "before load"},
		{`{"do":"load","folder":"nowhere"}`, "nowhere"},
		{`no JSON`, "invalid character"},
		{`{"do":"peak"}`, ""},
	}
	var in strings.Builder
	for _, c := range cases {
		in.WriteString(c.line + "\n")
	}
	var out bytes.Buffer
	if err := serveRequests(strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(&out)
	for _, c := range cases {
		var a benchAnswer
		if err := dec.Decode(&a); err != nil {
			t.Fatalf("%s: no answer: %v", c.line, err)
		}
		if c.wantError == "" && (a.Error != "" || a.Bytes == 0) {
			t.Errorf("%s: %+v, want bytes", c.line, a)
		}
		if !strings.Contains(a.Error, c.wantError) {
			t.Errorf("%s: error = %q, want %q in it", c.line, a.Error, c.wantError)
		}
	}
}

func TestReaderEndsAfterTheLastSample(t *testing.T) {
	t.Parallel()
	r := &sampleReader{rest: []float32{1, 2, 3}}
	p := make([]float32, 2)
	for _, want := range []int{2, 1} {
		if n, err := r.Read(p); n != want || err != nil {
			t.Fatalf("Read = %d, %v, want %d", n, err, want)
		}
	}
	if n, err := r.Read(p); n != 0 || err == nil {
		t.Errorf("Read at the end = %d, %v, want EOF", n, err)
	}
}
