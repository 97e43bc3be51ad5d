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

// formChoices are values of a form field, valid and invalid.
type formChoices struct{ good, bad []string }

func boolChoices() formChoices {
	return formChoices{[]string{"", "true", "false", "1", "0", "on", "off", "yes", "no", "TRUE"}, []string{"2", "ja", "null"}}
}

// numberChoices returns numbers within a range, with its bounds, and others.
func numberChoices(low, usual, high, below, above string) formChoices {
	bad := []string{"x", "١٢", "nan"}
	for _, s := range []string{below, above} {
		if s != "" {
			bad = append(bad, s)
		}
	}
	return formChoices{[]string{"", low, usual, high}, bad}
}

func transcriptionFields() map[string]formChoices {
	return map[string]formChoices{
		"model":                     {[]string{"", "svc-stt"}, []string{"whisper-1"}},
		"stream":                    boolChoices(),
		"response_format":           {[]string{"", "json", "text", "verbose_json"}, []string{"srt", "JSON"}},
		"language":                  {[]string{"", "ar"}, []string{"en"}},
		"prompt":                    {[]string{"", "قهوة, بطاطس", "\n", "🍔", strings.Repeat("برجر\n", 3276)}, []string{strings.Repeat("س", 16385)}},
		"temperature":               numberChoices("0", "0.2", "1", "-0.1", "1.1"),
		"timestamp_granularities[]": {[]string{"word", "segment"}, []string{"letter"}},
		"chunking_strategy":         {[]string{"auto", "whatever"}, nil},
	}
}

func debugFields() map[string]formChoices {
	return map[string]formChoices{
		"mode":                          {[]string{"", "hybrid", "rnnt", "ctc"}, []string{"beam"}},
		"temperature":                   numberChoices("0.01", "1", "10", "0", "10.1"),
		"max_symbols_per_step":          numberChoices("0", "10", "1000", "-1", "1001"),
		"beam_enabled":                  boolChoices(),
		"beam_size":                     numberChoices("1", "4", "9", "0", "65"),
		"beam_length_penalty":           numberChoices("-100", "0.5", "100", "-101", "1e400"),
		"beam_temperature":              numberChoices("0.01", "1", "10", "0", "inf"),
		"loop_labels":                   boolChoices(),
		"use_cuda_graph_decoder":        boolChoices(),
		"acoustic_scale":                numberChoices("0", "1", "100", "-1", "101"),
		"ctc_weight":                    numberChoices("0", "0.3", "1", "-0.01", "1.01"),
		"ctc_ws_enabled":                boolChoices(),
		"ctc_ws_context":                {[]string{"", "نعم", "أؤكد الموعد\nنعم", "_", "نعم_لا_نعم", "x,y", "\u0000"}, nil},
		"ctc_ws_apply":                  boolChoices(),
		"ctc_ws_beam_threshold":         numberChoices("0", "7", "1000", "-1", "1001"),
		"ctc_ws_context_score":          numberChoices("-100", "3", "100", "-101", "101"),
		"ctc_ws_ali_token_weight":       numberChoices("-100", "0.5", "100", "-101", "101"),
		"ctc_ws_intersection_threshold": numberChoices("0", "30", "100", "-1", "101"),
		"ctc_ws_keyword_threshold":      numberChoices("-1000", "-5", "1000", "-1001", "1001"),
		"ctc_ws_blank_threshold":        numberChoices("0", "0.8", "1", "-0.1", "1.1"),
		"ctc_ws_non_blank_threshold":    numberChoices("0", "0.001", "1", "-0.1", "1.1"),
		"max_chunk_seconds":             numberChoices("1", "15", "60", "0", "61"),
		"vad_threshold":                 numberChoices("0", "0.4", "1", "-0.1", "1.1"),
		"vad_min_speech_ms":             numberChoices("0", "100", "60000", "-1", "60001"),
		"vad_max_speech_s":              numberChoices("1", "20", "3600", "0", "3601"),
		"vad_min_silence_ms":            numberChoices("0", "200", "60000", "-1", "60001"),
		"vad_pad_ms":                    numberChoices("0", "30", "10000", "-1", "2.5"),
	}
}

// drawnForm is a generated form: how to send it, its invalid fields, and its values.
type drawnForm struct {
	parts  []requestPart
	wrong  []string
	values map[string]string
}

// drawForm generates a form with mostly valid fields.
func drawForm(t *rapid.T, fields map[string]formChoices) drawnForm {
	f := drawnForm{values: map[string]string{}}
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
		f.parts, f.values[name] = append(f.parts, withField(name, value)), value
	}
	return f
}

// bareClips returns short recordings of every kind of sound, by name.
func bareClips(t *testing.T) map[string][]byte {
	t.Helper()
	dice := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // noise
	noise := make([]float32, 24000)
	for i := range noise {
		noise[i] = dice.Float32()*2 - 1
	}
	return map[string][]byte{
		"speech": demoSample(t, "confirm.flac"), "sentence": goldenRecording(t, "g00.wav"), "silence": encodeWAV(t, make([]float32, 16000)),
		"one sample": encodeWAV(t, make([]float32, 1)), "noise": encodeWAV(t, noise),
	}
}

// TestAnyForm checks with generated forms that answers conform to /openapi.json, name the invalid fields, and are
// consistent.
func TestAnyForm(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	doc, err := openapi3.NewLoader().LoadFromData(a.getPath(t, "/openapi.json").wantStatus(t, 200).Body)
	mustSucceed(t, err)
	clips := bareClips(t)
	names := slices.Sorted(maps.Keys(clips))
	for path, fields := range map[string]map[string]formChoices{transcriptions: transcriptionFields(), debugDecode: debugFields()} {
		t.Run(strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", " "), func(outer *testing.T) {
			rapid.Check(outer, func(t *rapid.T) {
				f := drawForm(t, fields)
				if path == transcriptions {
					f.parts = append(f.parts, drawHeaders(t, f)...)
				}
				got := a.postForm(outer, path, append(f.parts, withFile(clips[rapid.SampledFrom(names).Draw(t, "clip")]))...)
				want := 200
				if len(f.wrong) > 0 {
					want = 422
				}
				if got.Status != want {
					t.Fatalf("status %d, want %d, wrong are %v: %.2000s", got.Status, want, f.wrong, got.Body)
				}
				checkAgainstOpenAPI(t, doc, path, got)
				switch {
				case len(f.wrong) > 0:
					checkViolations(t, f, got)
				case path == transcriptions:
					checkTranscription(t, f, got)
				}
			})
		})
	}
}

// drawHeaders generates the headers that the transcription endpoint reads.
func drawHeaders(t *rapid.T, f drawnForm) (parts []requestPart) {
	if mode := rapid.SampledFrom([]string{"", "restaurant", "default"}).Draw(t, "mode"); mode != "" {
		parts = append(parts, withHeader("X-Session-Mode", mode), withHeader("X-Session-Id", "any-form-"+mode))
		f.values["x-session-mode"] = mode
	}
	if rapid.Bool().Draw(t, "accepts events") {
		parts = append(parts, withHeader("Accept", "text/event-stream"))
		f.values["accept"] = "text/event-stream"
	}
	return parts
}

// checkAgainstOpenAPI validates an answer against the OpenAPI document.
func checkAgainstOpenAPI(t *rapid.T, doc *openapi3.T, path string, got testAnswer) {
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

// checkViolations expects each invalid field once, and no other.
func checkViolations(t *rapid.T, f drawnForm, got testAnswer) {
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

// checkTranscription checks an answer of the transcription endpoint.
func checkTranscription(t *rapid.T, f drawnForm, got testAnswer) {
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
		checkVerbose(t, got)
	}
}

// checkVerbose checks that the parts of a verbose answer add up to the whole.
func checkVerbose(t *rapid.T, got testAnswer) {
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
