package console_test

import (
	"context"
	"strings"
	"testing"

	"munadi/appliance/console"
	"munadi/appliance/tts"
	"munadi/store/account"
)

// greetingsRecorded is a chain in which greetings are recorded and eSpeak NG says the rest, unless one voice is chosen.
type greetingsRecorded struct{}

func (greetingsRecorded) FindVoice(_ context.Context, r tts.SpeechRequest) tts.VoiceSource {
	switch recorded := strings.HasPrefix(r.Text, "السلام"); {
	case r.Voice == "espeak-ng", r.Voice == "" && !recorded:
		return tts.ESpeak
	case recorded:
		return tts.Recorded
	}
	return ""
}

// TestVoicesOfACall checks that each line says who speaks it, that saving lists what is not recorded, and that one
// voice can be chosen.
func TestVoicesOfACall(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) { d.Voices = greetingsRecorded{} })
	page := b.getPage(account.Operator, "/scenarios/new")
	form := page.formValues("/console/scenarios")
	form.Set("from", "template:reminder")
	form.Set("name", "Reminder")
	b.postForm(account.Operator, "/scenarios", form).wantRedirect("/console/scenarios/reminder/edit")
	e := openEditor(t, b, "reminder")
	e.do("check").wantTexts("Recorded", "Robotic", "more than one voice")
	b.postForm(account.Operator, "/scenarios/reminder", e.form).wantRedirect("/console/scenarios/reminder")
	b.getPage(account.Operator, "/scenarios/reminder").wantTexts("lines without a recording", "نذكركم بموعدكم")

	e = openEditor(t, b, "reminder")
	e.do("check", "voice", "recorded").wantTexts("No voice").wantNoTexts("Robotic (eSpeak NG)</span>", "more than one voice")
	e.do("check", "voice", "espeak-ng").wantNoTexts("No voice", "more than one voice")
	if got := draftOf(t, e.form).Voice; got != "espeak-ng" {
		t.Errorf("the voice is %q", got)
	}
}
