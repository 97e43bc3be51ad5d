package whole_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/engine/audio"
)

// writtenForm is a form of texts as each door takes it, and what it makes of testdata/numbers.opus: an amount, a
// telephone number, a date and a time, by the voice of package prompts.
type writtenForm struct {
	form, numerals string
	redact         bool
	want           string
}

var writtenForms = map[string]writtenForm{
	"spoken": {"spoken", "latn", false, "السعر ثلاثمئة وستة وثمانين ريالا رقم الجوال صفر خمسة ثلاثة ستة ثمانية واحد ثمانية صفر تسعة ستة " +
		"بتاريخ أربعة عشر من مارس الساعة الخامسة مساء"},
	"written":      {"written", "latn", false, "السعر 386 SAR رقم الجوال +966536818096 بتاريخ 14 من مارس الساعة 17:00"},
	"Arabic-Indic": {"written", "arab", false, "السعر ٣٨٦ SAR رقم الجوال +٩٦٦٥٣٦٨١٨٠٩٦ بتاريخ ١٤ من مارس الساعة ١٧:٠٠"},
	"redacted":     {"spoken", "latn", true, "السعر ثلاثمئة وستة وثمانين ريالا رقم الجوال […] بتاريخ أربعة عشر من مارس الساعة الخامسة مساء"},
	"both":         {"written", "arab", true, "السعر ٣٨٦ SAR رقم الجوال […] بتاريخ ١٤ من مارس الساعة ١٧:٠٠"},
}

// spokenNumbers returns testdata/numbers.opus, and its samples at a rate.
func spokenNumbers(t testing.TB, rate int) ([]byte, []int16) {
	t.Helper()
	file := readProjectFile(t, "appliance/whole/testdata/numbers.opus")
	samples, err := audio.DecodeAll(t.Context(), bytes.NewReader(file), audio.DecodeOptions{})
	mustSucceed(t, err)
	r := audio.NewResampler(audio.Rate, rate)
	var out []int16
	for _, v := range r.Flush(r.Push(nil, samples)) {
		out = append(out, int16(max(-1, min(v, 1))*32767))
	}
	return file, out
}

// TestTextFormAtEachDoor sends the same sound through every door in each form, and expects the same text of all.
func TestTextFormAtEachDoor(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	file, samples := spokenNumbers(t, 24000)
	fields := func(f writtenForm, more ...requestPart) []requestPart {
		return append(more, withField("text_form", f.form), withField("numerals", f.numerals),
			withField("redact", fmt.Sprint(f.redact)), withFile(file))
	}
	streamed := func(path string) func(t *testing.T, f writtenForm) string {
		return func(t *testing.T, f writtenForm) string {
			body := a.postForm(t, path, fields(f, withField("stream", "true"), withField("model", "svc-stt"))...).wantStatus(t, 200).Body
			events, err := eventsOf(bytes.NewReader(body))
			mustSucceed(t, err)
			var deltas string
			for _, e := range events {
				deltas += e.Delta
			}
			if last := events[len(events)-1].Text; last != deltas {
				t.Errorf("the deltas are %q, the text %q", deltas, last)
			}
			return deltas
		}
	}
	text := func(path string) func(t *testing.T, f writtenForm) string {
		return func(t *testing.T, f writtenForm) string {
			return strings.TrimSpace(string(a.postForm(t, path,
				fields(f, withField("response_format", "text"), withField("model", "svc-stt"))...).wantStatus(t, 200).Body))
		}
	}
	realtime := func(path string) func(t *testing.T, f writtenForm) string {
		return func(t *testing.T, f writtenForm) string {
			update := fmt.Sprintf(`{"type":"session.update","session":{"type":"transcription","audio":{"input":{`+
				`"format":{"type":"audio/pcm","rate":24000},"turn_detection":null,"transcription":`+
				`{"model":"svc-stt","text_form":%q,"numerals":%q,"redact":%v}}}}}`, f.form, f.numerals, f.redact)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			got, err := committedSound(ctx, a.URL+path, update, littleEndian(samples), false)
			mustSucceed(t, err)
			return got
		}
	}
	saved := filepath.Join(t.TempDir(), "numbers.opus")
	mustSucceed(t, os.WriteFile(saved, file, 0o600))
	for door, hear := range map[string]func(t *testing.T, f writtenForm) string{
		"/compat":          text(transcriptions),
		"/compat stream":   streamed(transcriptions),
		"/compat realtime": realtime("/compat/v1/realtime"),
		"/v1":              text("/v1/audio/transcriptions"),
		"/v1 stream":       streamed("/v1/audio/transcriptions"),
		"/v1 realtime":     realtime("/v1/realtime"),
		"job": func(t *testing.T, f writtenForm) string {
			got, _ := a.awaitJobResult(t, a.enqueueJob(t, fields(f)...))["text"].(string)
			return got
		},
		"munadi transcribe": func(t *testing.T, f writtenForm) string {
			args := []string{"transcribe", "--text-form", f.form, "--numerals", f.numerals}
			if f.redact {
				args = append(args, "--redact")
			}
			got := runMunadi(t, nil, append(args, saved)...)
			if got.code != 0 {
				t.Fatalf("%d %s", got.code, got.stderr)
			}
			return strings.TrimSpace(got.stdout)
		},
	} {
		t.Run(door, func(t *testing.T) {
			for name, f := range writtenForms {
				if got := hear(t, f); got != f.want {
					t.Errorf("%s:\n%s, want\n%s", name, got, f.want)
				}
			}
		})
	}
}

// littleEndian returns samples as pcm16.
func littleEndian(samples []int16) []byte {
	var out []byte
	for _, v := range samples {
		out = append(out, byte(v), byte(v>>8))
	}
	return out
}

// TestTextFormOfCalls calls a person who says the same on a real line: the transcript is that of the other doors. What
// is redacted is in nothing that the call leaves behind, and not to be heard in its recording, of which all else is
// recognized as before.
func TestTextFormOfCalls(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("a long form: it takes a minute in real time")
	}
	takeSoundSlot(t)
	_, samples := spokenNumbers(t, carrier.Rate)
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
		Scenario: numbersScenario(t), Sound: append(make([]int16, 3*carrier.Rate), samples...),
	})
	a := startWithTrunk(t, peer.TrunkAddress())
	receiver := newReceiver(t, nil)
	a.setReceiver(t, receiver)
	tell := slices.Repeat([]string{"نرجو الحضور قبل الموعد بربع ساعة"}, 5)
	a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{
		"id": "told", "name": "told", "language": "ar", "steps": []jsonObject{{"id": "s", "type": "say", "say": tell}},
	}).wantStatus(t, 201)
	for _, name := range []string{"written", "both"} {
		f := writtenForms[name]
		a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{
			"text_form": f.form, "numerals": f.numerals, "redact": f.redact, "time_zone": "Asia/Riyadh",
		}).wantStatus(t, 200)
		number := simulatedNumber("8" + map[string]string{"written": "1", "both": "2"}[name])
		id := a.bookCall(t, number, "told", jsonObject{"retry": jsonObject{"max_attempts": 1}}).textAt("id")
		ended := a.awaitEnded(t, id)
		said := wordsOfPerson(ended)
		if !strings.HasPrefix(said, f.want) {
			t.Errorf("%s: %s\nwant %s", name, said, f.want)
		}
		if f.redact {
			receiver.awaitNotification(t, id)
			a.checkNothingLeft(t, id, number, receiver.rawBodyOf(id))
		}
	}
}

// wordsOfPerson returns what the person said in a call.
func wordsOfPerson(c jsonObject) string {
	var said []string
	for _, one := range c.listAt("enhanced_transcript", "transcript", "messages") {
		m, _ := one.(map[string]any)
		if m["role"] == "user" {
			said = append(said, fmt.Sprint(m["content"]))
		}
	}
	return strings.Join(said, " ")
}

// checkNothingLeft expects no word and no digits of the telephone number of testdata/numbers.opus in what a call left.
func (a *testInstance) checkNothingLeft(t *testing.T, id, number, notified string) {
	t.Helper()
	left := map[string]string{"webhook": notified}
	for _, path := range []string{"/calls/" + id, "/calls", "/calls/" + id + "/trace", "/calls/" + id + "/evidence"} {
		left[path] = string(a.getPath(t, v1+path).wantStatus(t, 200).Body)
	}
	file := filepath.Join(t.TempDir(), "person.zip")
	if got := runMunadi(t, nil, "people", "export", number, "--out", file, "--data", a.Data); got.code != 0 {
		t.Fatalf("%d %s", got.code, got.stderr)
	}
	archive, err := zip.OpenReader(file)
	mustSucceed(t, err)
	defer func() { _ = archive.Close() }()
	var sounds [][]byte
	for _, part := range archive.File {
		r, err := part.Open()
		mustSucceed(t, err)
		content, err := io.ReadAll(r)
		mustSucceed(t, err)
		if strings.HasSuffix(part.Name, ".wav") {
			sounds = append(sounds, content)
		}
		left[part.Name] = string(content)
	}
	sounds = append(sounds, a.getPath(t, strings.TrimPrefix(a.fetchCall(t, id).textAt("recording_url"), a.URL)).wantStatus(t, 200).Body)
	for name, content := range left {
		for _, part := range []string{"تسعة ستة", "536818096", "٥٣٦٨١٨٠٩٦", "ثمانية واحد"} {
			if strings.Contains(content, part) {
				t.Errorf("%s has %q", name, part)
			}
		}
	}
	for _, sound := range sounds {
		got, _ := a.postForm(t, transcriptions, withField("channels", "left"), withFile(sound)).wantStatus(t, 200).jsonBody(t)["text"].(string)
		if strings.Contains(got, "تسعة") || strings.Contains(got, "الجوال") ||
			!strings.HasPrefix(got, "السعر ثلاثمئة وستة وثمانين ريالا بتاريخ أربعة عشر من مارس الساعة الخامسة مساء") {
			t.Errorf("in the recording is heard: %s", got)
		}
	}
}
