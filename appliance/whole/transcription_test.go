package whole_test

import (
	"math"
	"strings"
	"testing"
)

func TestFormatsOfAnswers(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	sound := withFile(goldenRecording(t, "g00.wav"))
	plain := a.postForm(t, transcriptions, sound).wantStatus(t, 200)
	const want = `{"text":"` + goldenText + `","usage":{"type":"duration","seconds":2}}`
	if strings.TrimSpace(plain.String()) != want || !strings.HasPrefix(plain.Header.Get("Content-Type"), "application/json") {
		t.Errorf("json: %s %s", plain.Header.Get("Content-Type"), plain)
	}
	if got := a.postForm(t, transcriptions, sound, withField("response_format", "json")).wantStatus(t, 200); got.String() != plain.String() {
		t.Errorf("json is not the default: %s", got)
	}
	text := a.postForm(t, transcriptions, sound, withField("response_format", "text")).wantStatus(t, 200)
	if text.String() != goldenText+"\n" || text.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("text: %q %q", text.Header.Get("Content-Type"), text)
	}
}

// wantKeys fails the test unless an object has exactly these members.
func wantKeys(t testing.TB, what string, o map[string]any, names string) {
	t.Helper()
	want := strings.Fields(names)
	for _, name := range want {
		if _, ok := o[name]; !ok {
			t.Errorf("%s lacks %s", what, name)
		}
	}
	if len(o) != len(want) {
		t.Errorf("%s has %d members, want %d: %v", what, len(o), len(want), o)
	}
}

// objectList returns a member that holds a list of objects.
func objectList(t testing.TB, o map[string]any, name string) []map[string]any {
	t.Helper()
	raw, ok := o[name].([]any)
	if !ok {
		t.Fatalf("%s is %v, no list", name, o[name])
	}
	var out []map[string]any
	for _, v := range raw {
		member, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("%s holds %v", name, v)
		}
		out = append(out, member)
	}
	return out
}

// finiteNumber returns a member that holds a finite number.
func finiteNumber(t testing.TB, o map[string]any, name string) float64 {
	t.Helper()
	v, ok := o[name].(float64)
	if !ok || math.IsNaN(v) {
		t.Fatalf("%s is %v, no number", name, o[name])
	}
	return v
}

// TestVerboseShape checks that the result has exactly the contract's members, that times are ordered, and that words
// and segments give the same text.
func TestVerboseShape(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	got := a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac")), withField("response_format", "verbose_json"),
		withField("timestamp_granularities[]", "word"), withField("timestamp_granularities[]", "segment")).wantStatus(t, 200).jsonBody(t)
	wantKeys(t, "the body", got, "task language duration text segments words")
	duration := finiteNumber(t, got, "duration")
	if got["task"] != "transcribe" || got["language"] != "ar" || math.Abs(duration-15.927) > 0.001 {
		t.Errorf("%v %v %v", got["task"], got["language"], duration)
	}
	var texts, words []string
	end := 0.0
	for i, s := range objectList(t, got, "segments") {
		wantKeys(t, "a segment", s, "id seek start end text tokens temperature avg_logprob compression_ratio no_speech_prob")
		if finiteNumber(t, s, "id") != float64(i) || finiteNumber(t, s, "start") < end || finiteNumber(t, s, "end") <= finiteNumber(t, s, "start") ||
			finiteNumber(t, s, "end") > duration || finiteNumber(t, s, "avg_logprob") > 0 || finiteNumber(t, s, "no_speech_prob") > 1 {
			t.Errorf("segment %d: %v", i, s)
		}
		if len(s["tokens"].([]any)) == 0 {
			t.Errorf("segment %d has no tokens", i)
		}
		end = finiteNumber(t, s, "end")
		texts = append(texts, s["text"].(string))
	}
	end = 0
	for _, w := range objectList(t, got, "words") {
		wantKeys(t, "a word", w, "word start end confidence")
		c := finiteNumber(t, w, "confidence")
		if finiteNumber(t, w, "start") < end-1e-9 || finiteNumber(t, w, "end") < finiteNumber(t, w, "start") || c <= 0 || c > 1 {
			t.Errorf("word after %v: %v", end, w)
		}
		end = finiteNumber(t, w, "start")
		words = append(words, w["word"].(string))
	}
	if len(texts) < 4 || strings.Join(texts, " ") != got["text"] || strings.Join(words, " ") != got["text"] {
		t.Errorf("text %q\nsegments %q\nwords %q", got["text"], texts, words)
	}
}

// TestNothingHeard checks that silence is not an error, and that its lists are empty and not null.
func TestNothingHeard(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	quiet := withFile(encodeWAV(t, silentSeconds(3)))
	if got := a.postForm(t, transcriptions, quiet).wantStatus(t, 200); strings.TrimSpace(got.String()) !=
		`{"text":"","usage":{"type":"duration","seconds":3}}` {
		t.Error(got)
	}
	if got := a.postForm(t, transcriptions, quiet, withField("response_format", "text")).wantStatus(t, 200); got.String() != "\n" {
		t.Errorf("%q", got)
	}
	verbose := a.postForm(t, transcriptions, quiet, withField("response_format", "verbose_json")).wantStatus(t, 200)
	if len(objectList(t, verbose.jsonBody(t), "segments"))+len(objectList(t, verbose.jsonBody(t), "words")) != 0 {
		t.Error(verbose)
	}
	events := a.readStream(t, quiet, withField("stream", "true"))
	if len(events) != 1 || events[0].Type != "transcript.text.done" || events[0].Text != "" {
		t.Errorf("%+v", events)
	}
}

// TestForeignFieldsAreAccepted checks further fields that OpenAI's clients send.
func TestForeignFieldsAreAccepted(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	got := a.postForm(t, transcriptions, withField("chunking_strategy", "auto"), withField("include[]", "logprobs"), withField("user", "x"),
		withField("temperature", "0"), withField("prompt", "مستشفى"), withField("timestamp_granularities[]", "word"),
		withField("model", "svc-stt"), withField("language", "ar"), withFile(goldenRecording(t, "g00.wav")), withField("after", "the file")).wantStatus(t, 200)
	if got.jsonBody(t)["text"] != goldenText {
		t.Error(got)
	}
}

// TestPromptIsHeeded checks that a phrase list in the prompt changes an uncertain transcript.
func TestPromptIsHeeded(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, prompt := range []string{"بيتزا واحدة كبيرة", "برجر\nبيتزا واحدة كبيرة\nكولا", "كولا، بيتزا واحدة كبيرة، سلطة"} {
		got := a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac")), withField("prompt", prompt)).wantStatus(t, 200)
		if text := got.jsonBody(t)["text"].(string); !strings.Contains(text, "بيتزا") {
			t.Errorf("prompt %q: %s", prompt, text)
		}
	}
}

// TestAnswersAgree checks that json, text, verbose_json, stream and job give the same text.
func TestAnswersAgree(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, name := range []string{"order.flac", "appointment.flac", "confirm.flac", "time.flac"} {
		sound := withFile(demoSample(t, name))
		text := a.postForm(t, transcriptions, sound).wantStatus(t, 200).jsonBody(t)["text"]
		plain := a.postForm(t, transcriptions, sound, withField("response_format", "text")).wantStatus(t, 200).String()
		verbose := a.postForm(t, transcriptions, sound, withField("response_format", "verbose_json")).wantStatus(t, 200).jsonBody(t)["text"]
		streamed := a.readStream(t, sound, withField("stream", "true"))
		job := a.awaitJobResult(t, a.enqueueJob(t, sound))
		if plain != text.(string)+"\n" || verbose != text || streamed[len(streamed)-1].Text != text || job["text"] != text {
			t.Errorf("%s: %q, %q, %q, %+v, %v", name, text, plain, verbose, streamed, job)
		}
	}
	for name, want := range map[string]string{"confirm.flac": confirmText, "time.flac": timeText} {
		if got := a.postForm(t, transcriptions, withFile(demoSample(t, name))).jsonBody(t)["text"]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
