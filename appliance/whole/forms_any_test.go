package whole_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"mime"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"
)

// choices are what a client may write into a field, right and wrong.
type choices struct{ good, bad []string }

func flags() choices {
	return choices{[]string{"", "true", "false", "1", "0", "on", "off", "yes", "no", "TRUE"}, []string{"2", "ja", "null"}}
}

// numbers are those within a range and its ends, and others.
func numbers(low, usual, high, below, above string) choices {
	bad := []string{"x", "١٢", "nan"}
	for _, s := range []string{below, above} {
		if s != "" {
			bad = append(bad, s)
		}
	}
	return choices{[]string{"", low, usual, high}, bad}
}

func transcriptionFields() map[string]choices {
	return map[string]choices{
		"model":                     {[]string{"", "svc-stt"}, []string{"whisper-1"}},
		"stream":                    flags(),
		"response_format":           {[]string{"", "json", "text", "verbose_json"}, []string{"srt", "JSON"}},
		"language":                  {[]string{"", "ar"}, []string{"en"}},
		"prompt":                    {[]string{"", "قهوة, بطاطس", "\n", "🍔", strings.Repeat("برجر\n", 3276)}, []string{strings.Repeat("س", 16385)}},
		"temperature":               numbers("0", "0.2", "1", "-0.1", "1.1"),
		"timestamp_granularities[]": {[]string{"word", "segment"}, []string{"letter"}},
		"chunking_strategy":         {[]string{"auto", "whatever"}, nil},
	}
}

func debugFields() map[string]choices {
	return map[string]choices{
		"mode":                          {[]string{"", "hybrid", "rnnt", "ctc"}, []string{"beam"}},
		"temperature":                   numbers("0.01", "1", "10", "0", "10.1"),
		"max_symbols_per_step":          numbers("0", "10", "1000", "-1", "1001"),
		"beam_enabled":                  flags(),
		"beam_size":                     numbers("1", "4", "9", "0", "65"),
		"beam_length_penalty":           numbers("-100", "0.5", "100", "-101", "1e400"),
		"beam_temperature":              numbers("0.01", "1", "10", "0", "inf"),
		"loop_labels":                   flags(),
		"use_cuda_graph_decoder":        flags(),
		"acoustic_scale":                numbers("0", "1", "100", "-1", "101"),
		"ctc_weight":                    numbers("0", "0.3", "1", "-0.01", "1.01"),
		"ctc_ws_enabled":                flags(),
		"ctc_ws_context":                {[]string{"", "نعم", "أؤكد الموعد\nنعم", "_", "نعم_لا_نعم", "x,y", "\u0000"}, nil},
		"ctc_ws_apply":                  flags(),
		"ctc_ws_beam_threshold":         numbers("0", "7", "1000", "-1", "1001"),
		"ctc_ws_context_score":          numbers("-100", "3", "100", "-101", "101"),
		"ctc_ws_ali_token_weight":       numbers("-100", "0.5", "100", "-101", "101"),
		"ctc_ws_intersection_threshold": numbers("0", "30", "100", "-1", "101"),
		"ctc_ws_keyword_threshold":      numbers("-1000", "-5", "1000", "-1001", "1001"),
		"ctc_ws_blank_threshold":        numbers("0", "0.8", "1", "-0.1", "1.1"),
		"ctc_ws_non_blank_threshold":    numbers("0", "0.001", "1", "-0.1", "1.1"),
		"max_chunk_seconds":             numbers("1", "15", "60", "0", "61"),
		"vad_threshold":                 numbers("0", "0.4", "1", "-0.1", "1.1"),
		"vad_min_speech_ms":             numbers("0", "100", "60000", "-1", "60001"),
		"vad_max_speech_s":              numbers("1", "20", "3600", "0", "3601"),
		"vad_min_silence_ms":            numbers("0", "200", "60000", "-1", "60001"),
		"vad_pad_ms":                    numbers("0", "30", "10000", "-1", "2.5"),
	}
}

// form is one that was drawn: how to send it, which of its fields are wrong, and its values.
type form struct {
	parts  []part
	wrong  []string
	values map[string]string
}

// draw fills some fields, mostly rightly.
func draw(t *rapid.T, fields map[string]choices) form {
	f := form{values: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		of := fields[name]
		if rapid.IntRange(0, 2).Draw(t, name+" left out") == 0 {
			continue
		}
		from := of.good
		if len(of.bad) > 0 && rapid.IntRange(0, 39).Draw(t, name+" wrong") == 0 {
			from, f.wrong = of.bad, append(f.wrong, name)
		}
		value := rapid.SampledFrom(from).Draw(t, name)
		f.parts, f.values[name] = append(f.parts, field(name, value)), value
	}
	return f
}

// bareClips are short recordings of every kind of sound, by name.
func bareClips(t *testing.T) map[string][]byte {
	t.Helper()
	dice := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // noise
	noise := make([]float32, 24000)
	for i := range noise {
		noise[i] = dice.Float32()*2 - 1
	}
	return map[string][]byte{
		"speech": sample(t, "confirm.flac"), "sentence": golden(t, "g00.wav"), "silence": wav(t, make([]float32, 16000)),
		"one sample": wav(t, make([]float32, 1)), "noise": wav(t, noise),
	}
}

// TestAnyForm: whatever a client writes into the fields, the answer is as /openapi.json has it, names what is wrong,
// and agrees with itself.
func TestAnyForm(t *testing.T) {
	t.Parallel()
	a := shared(t)
	doc, err := openapi3.NewLoader().LoadFromData(a.get(t, "/openapi.json").want(t, 200).Body)
	must(t, err)
	clips := bareClips(t)
	names := slices.Sorted(maps.Keys(clips))
	for path, fields := range map[string]map[string]choices{transcriptions: transcriptionFields(), debugDecode: debugFields()} {
		t.Run(strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", " "), func(outer *testing.T) {
			rapid.Check(outer, func(t *rapid.T) {
				f := draw(t, fields)
				if path == transcriptions {
					f.parts = append(f.parts, drawHeaders(t, f)...)
				}
				got := a.post(outer, path, append(f.parts, file(clips[rapid.SampledFrom(names).Draw(t, "clip")]))...)
				want := 200
				if len(f.wrong) > 0 {
					want = 422
				}
				if got.Status != want {
					t.Fatalf("status %d, want %d, wrong are %v: %.2000s", got.Status, want, f.wrong, got.Body)
				}
				published(t, doc, path, got)
				switch {
				case len(f.wrong) > 0:
					blames(t, f, got)
				case path == transcriptions:
					transcribed(t, f, got)
				}
			})
		})
	}
}

// drawHeaders are those that the transcription endpoint looks at.
func drawHeaders(t *rapid.T, f form) (parts []part) {
	if mode := rapid.SampledFrom([]string{"", "restaurant", "default"}).Draw(t, "mode"); mode != "" {
		parts = append(parts, header("X-Session-Mode", mode), header("X-Session-Id", "any-form-"+mode))
		f.values["x-session-mode"] = mode
	}
	if rapid.Bool().Draw(t, "accepts events") {
		parts = append(parts, header("Accept", "text/event-stream"))
		f.values["accept"] = "text/event-stream"
	}
	return parts
}

// published holds an answer against the document.
func published(t *rapid.T, doc *openapi3.T, path string, got answer) {
	op := doc.Paths.Value(path).Post
	kind, _, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
	content := op.Responses.Status(got.Status).Value.Content[kind]
	if err != nil || content == nil {
		t.Fatalf("%d as %q is not published", got.Status, got.Header.Get("Content-Type"))
	}
	if kind != "application/json" {
		return
	}
	var body any
	if err := json.Unmarshal(got.Body, &body); err != nil {
		t.Fatalf("%v: %s", err, got.Body)
	}
	if err := content.Schema.Value.VisitJSON(body, openapi3.EnableJSONSchema2020()); err != nil {
		t.Fatalf("%v\n%s", err, got.Body)
	}
}

// blames checks that each wrong field is named once, and no other.
func blames(t *rapid.T, f form, got answer) {
	var body struct{ Detail []struct{ Loc []any } }
	if err := json.Unmarshal(got.Body, &body); err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, d := range body.Detail {
		named[d.Loc[1].(string)] = true
	}
	if got := slices.Sorted(maps.Keys(named)); !slices.Equal(got, f.wrong) {
		t.Fatalf("%v are blamed, %v are wrong", got, f.wrong)
	}
}

// transcribed checks an answer of the transcription endpoint.
func transcribed(t *rapid.T, f form, got answer) {
	if mode := f.values["x-session-mode"]; mode != "" && got.Header.Get("X-Session-Mode") != mode {
		t.Fatalf("mode %q, want %q", got.Header.Get("X-Session-Mode"), mode)
	}
	streams := f.values["accept"] != "" || slices.Contains([]string{"true", "1", "on", "yes", "TRUE"}, f.values["stream"])
	if is := strings.HasPrefix(got.Header.Get("Content-Type"), "text/event-stream"); is != streams {
		t.Fatalf("a stream: %v, want %v", is, streams)
	}
	switch {
	case streams:
		events, err := eventsOf(bytes.NewReader(got.Body))
		if err != nil || len(events) == 0 {
			t.Fatalf("%v: %s", err, got.Body)
		}
		joined := ""
		for _, e := range events[:len(events)-1] {
			joined += e.Delta
		}
		if last := events[len(events)-1]; last.Type != "transcript.text.done" || last.Text != joined {
			t.Fatalf("deltas %q, then %+v", joined, last)
		}
	case f.values["response_format"] == "text":
		if !bytes.HasSuffix(got.Body, []byte("\n")) {
			t.Fatalf("text %q", got.Body)
		}
	case f.values["response_format"] == "verbose_json":
		verbose(t, got)
	}
}

// verbose checks that the parts of a verbose answer make the whole.
func verbose(t *rapid.T, got answer) {
	var body struct {
		Text     string
		Duration float64
		Segments []struct {
			Start, End float64
			Text       string
		}
		Words []struct {
			Word                   string
			Start, End, Confidence float64
		}
	}
	if err := json.Unmarshal(got.Body, &body); err != nil {
		t.Fatal(err)
	}
	var texts, words []string
	for _, s := range body.Segments {
		texts = append(texts, s.Text)
	}
	last := 0.0
	for _, w := range body.Words {
		words = append(words, w.Word)
		if w.Start < last-0.5 || w.End < w.Start || w.End > body.Duration+0.001 || w.Confidence <= 0 || w.Confidence > 1 {
			t.Fatalf("word %+v after %v of %v s", w, last, body.Duration)
		}
		last = w.Start
	}
	if strings.Join(texts, " ") != body.Text || strings.Join(words, " ") != body.Text {
		t.Fatalf("text %q, segments %q, words %q", body.Text, texts, words)
	}
}
