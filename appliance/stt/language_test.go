package stt_test

import (
	"context"
	"strings"
	"testing"

	"munadi/appliance/stt"
	"munadi/engine"
)

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
