package stt_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"munadi/appliance/stt"
	"munadi/engine"
)

// verboseText returns the text of a verbose_json body, after checking that segments and words are the same text.
func verboseText(t *testing.T, raw []byte) string {
	t.Helper()
	var body struct {
		Text     string
		Segments []struct {
			Text   string
			Tokens []int
		}
		Words []struct{ Word string }
	}
	mustSucceed(t, json.Unmarshal(raw, &body))
	var segments, words []string
	for _, s := range body.Segments {
		segments = append(segments, s.Text)
	}
	for _, w := range body.Words {
		words = append(words, w.Word)
	}
	if strings.Join(segments, " ") != body.Text || strings.Join(words, " ") != body.Text {
		t.Errorf("text %q, segments %q, words %q", body.Text, segments, words)
	}
	return body.Text
}

func TestTextForms(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.Country = func(_ context.Context, orgID string) (string, error) {
			return map[string]string{"org1": "AE"}[orgID], nil
		}
	})
	b.hears.says = []string{"رقمي صفر خمسة صفر واحد اتنين", "تلاتة اربعة خمسة ستة سبعة شكرا", "دفعت خمسة وعشرين ريال"}
	for want, f := range map[string]formFields{
		"رقمي صفر خمسة صفر واحد اتنين تلاتة اربعة خمسة ستة سبعة شكرا دفعت خمسة وعشرين ريال": {},
		"رقمي +971501234567 شكرا دفعت 25 SAR":     {"text_form": "written"},
		"رقمي +٩٧١٥٠١٢٣٤٥٦٧ شكرا دفعت ٢٥ SAR":     {"text_form": "written", "numerals": "arab"},
		"رقمي […] […] شكرا دفعت خمسة وعشرين ريال": {"redact": "true"},
		"رقمي […] […] شكرا دفعت 25 SAR":           {"redact": "true", "text_form": "written"},
	} {
		f["file"], f["response_format"] = "sound", "verbose_json"
		w := b.postForm(t, transcriptions, f)
		if got := verboseText(t, w.Body.Bytes()); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	b.hears.says = []string{"رقمي صفر خمسة صفر واحد اتنين تلاتة اربعة خمسة ستة سبعة"}
	if w := b.postForm(t, transcriptions, formFields{"file": "sound", "text_form": "written"}); !strings.Contains(w.Body.String(), "+971501234567") {
		t.Errorf("the organization's country is not used: %s", w.Body)
	}
	for name, value := range map[string]string{"text_form": "short", "numerals": "roman", "redact": "perhaps"} {
		if w := b.postForm(t, transcriptions, formFields{"file": "sound", name: value}); w.Code != 422 || !strings.Contains(w.Body.String(), `"`+name+`"`) {
			t.Errorf("%s=%s: %d %s", name, value, w.Code, w.Body)
		}
	}
}

// TestRedactedStream: no delta has a part of a number that goes on after a pause, and the deltas are the text.
func TestRedactedStream(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.says = []string{"نعم", "رقمي صفر خمسة", "صفر واحد", "اتنين", "تمام", "الكود واحد اتنين"}
	_, r := b.listenEvents(t, formFields{"file": "sound", "redact": "true", "stream": "true", "include[]": "logprobs"})
	var deltas []string
	for e := nextEvent(t, r); e != nil; e = nextEvent(t, r) {
		if delta, ok := e.data["delta"].(string); ok {
			deltas = append(deltas, delta)
			continue
		}
		if text := strings.Join(deltas, ""); e.data["text"] != text || text != "نعم رقمي […] […] […] تمام الكود واحد اتنين" {
			t.Errorf("after %q came %v", deltas, e.data)
		}
	}
	if deltas[0] != "نعم" || len(deltas) != 6 {
		t.Errorf("deltas %q", deltas)
	}
}

// TestRedactedChannels: the number of one channel goes on there, whatever the other one says meanwhile.
func TestRedactedChannels(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.transcribe = func(_ context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		s, _ := src.(*fakeSound)
		for at, text := range map[bool][]string{true: {"صفر خمسة صفر", "", "واحد اتنين"}, false: {"", "نعم"}}[s.channel == 1] {
			if text == "" {
				continue
			}
			if err := o.OnSegment(newSegment(at, text)); err != nil {
				return nil, err
			}
		}
		return &engine.Result{Duration: 4}, nil
	}
	w := b.postForm(t, transcriptions, formFields{"file": "stereo", "channels": "separate", "redact": "true", "response_format": "verbose_json"})
	if got := verboseText(t, w.Body.Bytes()); got != "[…] نعم […]" {
		t.Errorf("%s", w.Body)
	}
}

func TestTextFormOfJobs(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.says = []string{"دفعت خمسة وعشرين ريال", "رقمي صفر خمسة صفر واحد اتنين"}
	id := b.bookJob(t, formFields{"file": "sound", "text_form": "written", "redact": "true", "response_format": "text"})
	work, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.RunJobs(work) }()
	defer func() { stop(); mustSucceed(t, <-done) }()
	b.pollJob(t, id)
	w := b.getPath(t, "/compat/v1/audio/jobs/"+id+"/result?format=srt", "one")
	if !strings.Contains(w.Body.String(), "دفعت 25 SAR") || !strings.Contains(w.Body.String(), "رقمي […]") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAnUnknownCountryIsAnError(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.Country = func(context.Context, string) (string, error) { return "", errors.New("the database is away") }
	})
	b.hears.says = []string{"نعم"}
	if w := b.postForm(t, transcriptions, formFields{"file": "sound", "text_form": "written"}); w.Code != 500 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := b.postForm(t, transcriptions, formFields{"file": "sound"}); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
