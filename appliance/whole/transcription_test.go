package whole_test

import (
	"math"
	"strings"
	"testing"
)

func TestFormatsOfAnswers(t *testing.T) {
	t.Parallel()
	a := shared(t)
	sound := file(golden(t, "g00.wav"))
	plain := a.post(t, transcriptions, sound).want(t, 200)
	const want = `{"text":"` + goldenText + `","usage":{"type":"duration","seconds":2}}`
	if strings.TrimSpace(plain.String()) != want || !strings.HasPrefix(plain.Header.Get("Content-Type"), "application/json") {
		t.Errorf("json: %s %s", plain.Header.Get("Content-Type"), plain)
	}
	if got := a.post(t, transcriptions, sound, field("response_format", "json")).want(t, 200); got.String() != plain.String() {
		t.Errorf("json is not the default: %s", got)
	}
	text := a.post(t, transcriptions, sound, field("response_format", "text")).want(t, 200)
	if text.String() != goldenText+"\n" || text.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("text: %q %q", text.Header.Get("Content-Type"), text)
	}
}

// keys fails the test unless an object has exactly the named members.
func keys(t testing.TB, what string, o map[string]any, names string) {
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

// list is a member that holds objects.
func list(t testing.TB, o map[string]any, name string) []map[string]any {
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

// number is a member that holds a finite number.
func number(t testing.TB, o map[string]any, name string) float64 {
	t.Helper()
	v, ok := o[name].(float64)
	if !ok || math.IsNaN(v) {
		t.Fatalf("%s is %v, no number", name, o[name])
	}
	return v
}

// TestVerboseShape: the contract's members and no others, times in order, words and segments telling the same text.
func TestVerboseShape(t *testing.T) {
	t.Parallel()
	a := shared(t)
	got := a.post(t, transcriptions, file(sample(t, "order.flac")), field("response_format", "verbose_json"),
		field("timestamp_granularities[]", "word"), field("timestamp_granularities[]", "segment")).want(t, 200).object(t)
	keys(t, "the body", got, "task language duration text segments words")
	duration := number(t, got, "duration")
	if got["task"] != "transcribe" || got["language"] != "ar" || math.Abs(duration-15.927) > 0.001 {
		t.Errorf("%v %v %v", got["task"], got["language"], duration)
	}
	var texts, words []string
	end := 0.0
	for i, s := range list(t, got, "segments") {
		keys(t, "a segment", s, "id seek start end text tokens temperature avg_logprob compression_ratio no_speech_prob")
		if number(t, s, "id") != float64(i) || number(t, s, "start") < end || number(t, s, "end") <= number(t, s, "start") ||
			number(t, s, "end") > duration || number(t, s, "avg_logprob") > 0 || number(t, s, "no_speech_prob") > 1 {
			t.Errorf("segment %d: %v", i, s)
		}
		if len(s["tokens"].([]any)) == 0 {
			t.Errorf("segment %d has no tokens", i)
		}
		end = number(t, s, "end")
		texts = append(texts, s["text"].(string))
	}
	end = 0
	for _, w := range list(t, got, "words") {
		keys(t, "a word", w, "word start end confidence")
		c := number(t, w, "confidence")
		if number(t, w, "start") < end-1e-9 || number(t, w, "end") < number(t, w, "start") || c <= 0 || c > 1 {
			t.Errorf("word after %v: %v", end, w)
		}
		end = number(t, w, "start")
		words = append(words, w["word"].(string))
	}
	if len(texts) < 4 || strings.Join(texts, " ") != got["text"] || strings.Join(words, " ") != got["text"] {
		t.Errorf("text %q\nsegments %q\nwords %q", got["text"], texts, words)
	}
}

// TestNothingHeard: silence is no error, and its lists are empty, not null.
func TestNothingHeard(t *testing.T) {
	t.Parallel()
	a := shared(t)
	quiet := file(wav(t, silence(3)))
	if got := a.post(t, transcriptions, quiet).want(t, 200); strings.TrimSpace(got.String()) !=
		`{"text":"","usage":{"type":"duration","seconds":3}}` {
		t.Error(got)
	}
	if got := a.post(t, transcriptions, quiet, field("response_format", "text")).want(t, 200); got.String() != "\n" {
		t.Errorf("%q", got)
	}
	verbose := a.post(t, transcriptions, quiet, field("response_format", "verbose_json")).want(t, 200)
	if len(list(t, verbose.object(t), "segments"))+len(list(t, verbose.object(t), "words")) != 0 {
		t.Error(verbose)
	}
	events := a.stream(t, quiet, field("stream", "true"))
	if len(events) != 1 || events[0].Type != "transcript.text.done" || events[0].Text != "" {
		t.Errorf("%+v", events)
	}
}

// TestForeignFieldsAreAccepted: what OpenAI's clients send besides.
func TestForeignFieldsAreAccepted(t *testing.T) {
	t.Parallel()
	a := shared(t)
	got := a.post(t, transcriptions, field("chunking_strategy", "auto"), field("include[]", "logprobs"), field("user", "x"),
		field("temperature", "0"), field("prompt", "مستشفى"), field("timestamp_granularities[]", "word"),
		field("model", "svc-stt"), field("language", "ar"), file(golden(t, "g00.wav")), field("after", "the file")).want(t, 200)
	if got.object(t)["text"] != goldenText {
		t.Error(got)
	}
}

// TestPromptBiases: a phrase list moves an unsure reading.
func TestPromptIsHeeded(t *testing.T) {
	t.Parallel()
	a := shared(t)
	for _, prompt := range []string{"بيتزا واحدة كبيرة", "برجر\nبيتزا واحدة كبيرة\nكولا", "كولا، بيتزا واحدة كبيرة، سلطة"} {
		got := a.post(t, transcriptions, file(sample(t, "order.flac")), field("prompt", prompt)).want(t, 200)
		if text := got.object(t)["text"].(string); !strings.Contains(text, "بيتزا") {
			t.Errorf("prompt %q: %s", prompt, text)
		}
	}
}

// TestAnswersDoNotDependOnTheCall: json, text, verbose_json, stream and job agree.
func TestAnswersAgree(t *testing.T) {
	t.Parallel()
	a := shared(t)
	for _, name := range []string{"order.flac", "appointment.flac", "confirm.flac", "time.flac"} {
		sound := file(sample(t, name))
		text := a.post(t, transcriptions, sound).want(t, 200).object(t)["text"]
		plain := a.post(t, transcriptions, sound, field("response_format", "text")).want(t, 200).String()
		verbose := a.post(t, transcriptions, sound, field("response_format", "verbose_json")).want(t, 200).object(t)["text"]
		streamed := a.stream(t, sound, field("stream", "true"))
		job := a.finish(t, a.enqueue(t, sound))
		if plain != text.(string)+"\n" || verbose != text || streamed[len(streamed)-1].Text != text || job["text"] != text {
			t.Errorf("%s: %q, %q, %q, %+v, %v", name, text, plain, verbose, streamed, job)
		}
	}
	for name, want := range map[string]string{"confirm.flac": confirmText, "time.flac": timeText} {
		if got := a.post(t, transcriptions, file(sample(t, name))).object(t)["text"]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
