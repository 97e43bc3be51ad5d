package stt_test

import (
	"context"
	"strings"
	"testing"

	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/engine/model"
)

// The doors ask the speech model itself whether it has a language: a locale of Arabic is one of a model without prompts,
// over /v1 and in a realtime session. /compat/v1 takes ar alone, as its contract says.
func TestDoorsAskTheModel(t *testing.T) {
	t.Parallel()
	m := &model.SpeechModel{}
	b := newSTTFixture(t, withModels, func(d *stt.Dependencies) { d.Languages, d.HasLanguage = m.LanguageNames, m.HasLanguage })
	for language, want := range map[string]int{
		"ar": 200, "AR": 200, "ar-SA": 200, "ar-Arab-EG": 200, "en": 400, "arz": 400, "ar_SA": 400, "ar-": 400,
		"ar-" + strings.Repeat("x", 100): 400,
	} {
		f := formFields{"file": "sound", "model": "svc-stt", "response_format": "verbose_json", "language": language}
		r := b.postForm(t, "/v1/audio/transcriptions", f)
		if r.Code != want || want == 200 && !strings.Contains(r.Body.String(), `"language":"`+language+`"`) {
			t.Errorf("%s: %d %s", language, r.Code, r.Body)
		}
		if c := b.postForm(t, "/compat/v1/audio/transcriptions", formFields{"file": "sound", "language": language}); (c.Code == 200) != (language == "ar") {
			t.Errorf("/compat %s: %d", language, c.Code)
		}
	}
}

// A model with several languages is asked for the one that a request names over /v1; /compat/v1 stays Arabic.
func TestLanguageOfARequest(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, withModels, func(d *stt.Dependencies) {
		d.Languages = func() []string { return []string{"ar", "en", "en-US"} }
	})
	var asked string
	b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		asked = o.Language
		return speakTexts(o, "hello")
	}
	for _, c := range []struct {
		path, language string
		status         int
		asked          string
	}{
		{"/v1/audio/transcriptions", "", 200, "ar"},
		{"/v1/audio/transcriptions", "en-US", 200, "en-US"},
		{"/v1/audio/transcriptions", "de", 400, ""},
		{"/compat/v1/audio/transcriptions", "en", 422, ""},
		{"/compat/v1/audio/transcriptions", "ar", 200, "ar"},
	} {
		asked = ""
		f := formFields{"file": "sound", "model": "svc-stt", "response_format": "verbose_json"}
		if c.language != "" {
			f["language"] = c.language
		}
		r := b.postForm(t, c.path, f)
		if r.Code != c.status || asked != c.asked {
			t.Errorf("%s %q: %d, asked for %q; want %d, %q", c.path, c.language, r.Code, asked, c.status, c.asked)
		}
		if c.asked != "" && !strings.Contains(r.Body.String(), `"language":"`+c.asked+`"`) {
			t.Errorf("%s %q: %s", c.path, c.language, r.Body)
		}
	}
}
