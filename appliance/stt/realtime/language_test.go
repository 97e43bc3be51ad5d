package realtime_test

import (
	"strings"
	"testing"

	"munadi/appliance/stt/realtime"
)

// A session of /v1/realtime names one of the model's languages; one of /compat is Arabic.
func TestLanguageOfASession(t *testing.T) {
	t.Parallel()
	const update = `{"type":"session.update","session":{"audio":{"input":{"transcription":{"language":"en"}}}}}`
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Languages = func() []string { return []string{"ar", "en"} }
		d.HasLanguage = func(language string) bool { return language == "ar-SA" }
	})
	compat := b.dialSession(false)
	compat.wantEvent("session.created")
	compat.sendEvent(update)
	compat.wantError("invalid_value", "session.audio.input.transcription.language")
	b.url = strings.Replace(b.url, realtime.Paths[0], realtime.Paths[1], 1)
	c := b.dialSession(false)
	c.wantEvent("session.created")
	c.sendEvent(update)
	c.wantEvent("session.updated")
	c.sendEvent(strings.Replace(update, `"en"`, `"ar-SA"`, 1))
	c.wantEvent("session.updated")
	c.sendEvent(update)
	c.wantEvent("session.updated")
	c.sendEvent(strings.Replace(update, `"en"`, `"de"`, 1))
	c.wantError("invalid_value", "session.audio.input.transcription.language")
	c.sendEvent(soundDecoder(4800))
	c.sendEvent(`{"type":"input_audio_buffer.commit"}`)
	c.wantEvent("input_audio_buffer.committed") // the sound has been taken
	if got := b.script.options.Language; got != "en" {
		t.Errorf("the stream is asked for %q, want en", got)
	}
}
