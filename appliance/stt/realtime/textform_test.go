package realtime_test

import (
	"context"
	"strings"
	"testing"

	"munadi/appliance/stt/realtime"
	"munadi/engine"
)

// TestTextFormOfTurns: with a form there is one delta, of the final text, and no partial text; a number that goes on in the
// next turn is redacted there too.
func TestTextFormOfTurns(t *testing.T) {
	t.Parallel()
	for form, want := range map[string][2]string{
		`"text_form":"written"`:                   {"رقمي صفر خمسة صفر وعشرين", "واحد اتنين"},
		`"text_form":"written","numerals":"arab"`: {"رقمي ٠٥٠", "واحد اتنين"},
		`"redact":true`:                           {"رقمي صفر خمسة صفر", "[…]"},
		`"text_form":"spoken"`:                    {"رقمي صفر خمسة صفر", "واحد اتنين"},
	} {
		b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
			d.Country = func(context.Context, string) (string, error) { return "AE", nil }
		})
		began, part := spokenTexts(engine.SpeechStarted, ""), spokenTexts(engine.Partial, "رقمي صفر")
		said := [2]string{"رقمي صفر خمسة صفر", "واحد اتنين"}
		if strings.HasSuffix(want[0], "وعشرين") {
			said[0], want[0] = want[0], "رقمي 050 و20"
		}
		b.script.batches = [][]engine.StreamEvent{
			{began, part, part, spokenTexts(engine.Final, said[0])}, {began, spokenTexts(engine.Final, said[1])},
		}
		c := b.dialSession(false)
		c.wantEvent("session.created")
		c.sendEvent(`{"type":"session.update","session":{"include":["item.input_audio_transcription.partial"],` +
			`"audio":{"input":{"transcription":{` + form + `}}}}}`)
		c.wantEvent("session.updated")
		for i := range want {
			c.sendEvent(soundDecoder(4800))
			var deltas []string
			for {
				e := c.nextEvent()
				switch kind := e["type"].(string); {
				case strings.HasSuffix(kind, ".delta"):
					deltas = append(deltas, e["delta"].(string))
				case strings.HasSuffix(kind, ".partial") && form != `"text_form":"spoken"`:
					t.Errorf("%s: partial text %v", form, e["text"])
				case strings.HasSuffix(kind, ".completed"):
					if e["transcript"] != want[i] || strings.Join(deltas, "") != want[i] {
						t.Errorf("%s: turn %d is %v, deltas %q; want %q", form, i, e["transcript"], deltas, want[i])
					}
				default:
					continue
				}
				if strings.HasSuffix(e["type"].(string), ".completed") {
					break
				}
			}
		}
	}
}

func TestTextFormIsShownAndChecked(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t)
	c := b.dialSession(true)
	c.wantEvent("transcription_session.created")
	c.sendEvent(`{"type":"transcription_session.update","session":{"input_audio_transcription":{"text_form":"written","redact":true}}}`)
	e := c.wantEvent("transcription_session.updated")
	shown := e["session"].(map[string]any)["input_audio_transcription"].(map[string]any)
	if shown["text_form"] != "written" || shown["redact"] != true {
		t.Errorf("the session shows %v", shown)
	}
	for field, value := range map[string]string{"text_form": `"short"`, "numerals": `"roman"`} {
		c.sendEvent(`{"type":"transcription_session.update","session":{"input_audio_transcription":{"` + field + `":` + value + `}}}`)
		c.wantError("invalid_value", "session.input_audio_transcription."+field)
	}
	c.sendEvent(`{"type":"transcription_session.update","session":{"input_audio_transcription":{"text_form":null,"redact":null}}}`)
	e = c.wantEvent("transcription_session.updated")
	if shown := e["session"].(map[string]any)["input_audio_transcription"].(map[string]any); shown["text_form"] != nil || shown["redact"] != nil {
		t.Errorf("null left %v", shown)
	}
}
