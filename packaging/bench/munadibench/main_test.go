package main

import (
	"bytes"
	"encoding/json"
	"slices"
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
		{`{"do":"live","length":1}`, "before load"},
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

// A cache-aware model is imported, offers its latencies, and makes partial text once a chunk; the sound of each
// can be decoded separately.
func TestLiveStreamOfAnImportedModel(t *testing.T) {
	const testdata = "../../../engine/"
	folder, cache := t.TempDir(), t.TempDir()
	a := askWorker(t,
		benchRequest{Do: "import", File: testdata + "model/testdata/checkpoints/cached.nemo", Folder: folder},
		benchRequest{Do: "load", Folder: folder, Head: "rnnt", Threads: 1, File: testdata + "testdata/golden/g28.wav", Cache: cache},
		benchRequest{Do: "latencies"},
		benchRequest{Do: "live", Length: 2, LatencyMS: 80, Partials: true},
		benchRequest{Do: "live", Length: 2},
		benchRequest{Do: "decode", Length: 2, Stretches: []stretch{{0.5, 1}, {0.5, 2}}},
		benchRequest{Do: "decode", Length: 2, Stretches: []stretch{{2, 3}}},
		benchRequest{Do: "live", Length: 1000},
	)
	if !slices.Equal(a[2].Latencies, []int64{240, 480, 160, 80}) {
		t.Errorf("latencies %v", a[2].Latencies)
	}
	if live := a[3]; len(live.Texts) == 0 || len(live.Turns) == 0 || live.Processor <= 0 {
		t.Errorf("live: %+v", live)
	}
	if final := a[4]; len(final.Texts) > 0 || len(final.Turns) == 0 {
		t.Errorf("live without partial text: %+v", final)
	}
	if a[5].Processor <= 0 || a[6].Error == "" || a[7].Error == "" {
		t.Errorf("decoded: %+v, beyond the file: %+v and %+v", a[5], a[6], a[7])
	}
}

// askWorker sends requests to one worker and returns its answers.
func askWorker(t *testing.T, requests ...benchRequest) []benchAnswer {
	t.Helper()
	var in, out bytes.Buffer
	for _, q := range requests {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := serveRequests(&in, &out); err != nil {
		t.Fatal(err)
	}
	answers := make([]benchAnswer, len(requests))
	for dec, i := json.NewDecoder(&out), 0; i < len(answers); i++ {
		if err := dec.Decode(&answers[i]); err != nil {
			t.Fatal(err)
		}
		if i < 2 && answers[i].Error != "" {
			t.Fatalf("%s: %s", requests[i].Do, answers[i].Error)
		}
	}
	return answers
}
