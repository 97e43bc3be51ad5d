package tts_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"munadi/appliance/tts"
)

// TestOneVoiceAlone: a voice that is asked for speaks, or no other one does.
func TestOneVoiceAlone(t *testing.T) {
	t.Parallel()
	const recorded = "شكرا جزيلا مع السلامة"
	c := newChain(t, tts.ChainOptions{ESpeak: writeScript(t, "exit 3"), Trouble: func(tts.VoiceSource, error) {}})
	for _, want := range []struct {
		text   string
		source tts.VoiceSource
		spoken tts.VoiceSource // empty: not at all
	}{
		{recorded, "", tts.Recorded},
		{recorded, tts.Recorded, tts.Recorded},
		{recorded, tts.ESpeak, ""},
		{recorded, tts.Endpoint, ""},
		{"مئة ريال", tts.Recorded, tts.Blocks},
		{unknown, tts.Recorded, ""},
	} {
		for _, transient := range []bool{false, true} {
			s, err := c.Speak(t.Context(), tts.SpeechRequest{Text: want.text, Source: want.source, Transient: transient})
			if want.spoken == "" {
				if !errors.Is(err, tts.ErrNoVoice) {
					t.Errorf("%q by %q: %v", want.text, want.source, err)
				}
			} else if err != nil || s.Source != want.spoken {
				t.Errorf("%q by %q: %q, %v", want.text, want.source, s.Source, err)
			}
		}
	}
}

// TestListVoices: the voices that are there, the default first.
func TestListVoices(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]tts.ChainOptions{
		"default recorded":                {},
		"default recorded espeak-ng":      {ESpeak: writeScript(t, "exit 3")},
		"default recorded nora espeak-ng": {ESpeak: writeScript(t, "exit 3"), Endpoint: &tts.EndpointOptions{URL: "http://127.0.0.1:1/v1", Voice: "nora", Model: "voice-1"}},
	} {
		c := newChain(t, o)
		var ids []string
		for _, v := range c.ListVoices() {
			if v.Name == "" || v.Language != "ar" {
				t.Errorf("voice %+v", v)
			}
			ids = append(ids, v.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("voices %q, want %q", got, want)
		}
		if model := c.EndpointModel(); (model == "voice-1") != (o.Endpoint != nil) {
			t.Errorf("model %q", model)
		}
	}
}

// TestTransientSpeech: its program ends with its client.
func TestTransientSpeech(t *testing.T) {
	t.Parallel()
	started := filepath.Join(t.TempDir(), "started")
	if err := syscall.Mkfifo(started, 0o600); err != nil {
		t.Fatal(err)
	}
	c := newChain(t, tts.ChainOptions{ESpeak: writeScript(t, "echo started > "+started+"; exec sleep 600")})
	ctx, cancel := context.WithCancel(t.Context())
	spoken := make(chan error)
	go func() {
		_, err := c.Speak(ctx, tts.SpeechRequest{Text: unknown, Source: tts.ESpeak, Transient: true})
		spoken <- err
	}()
	if _, err := os.ReadFile(started); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-spoken; !errors.Is(err, context.Canceled) {
		t.Errorf("a client that goes away: %v", err)
	}
}

// TestFindVoice checks that the voice that is named speaks each text, and that a voice can be the only one.
func TestFindVoice(t *testing.T) {
	t.Parallel()
	o := tts.ChainOptions{}
	c := newChain(t, o)
	for _, check := range []struct {
		text, voice string
		want        tts.VoiceSource
	}{
		{"السلام عليكم ورحمة الله", "", tts.Recorded},
		{"السلام عليكم ورحمة الله شكرا جزيلا مع السلامة", "", tts.Blocks},
		{"السلام عليكم ورحمة الله شكرا جزيلا مع السلامة", "recorded", tts.Blocks},
		{"نود معرفة رأيكم", "", ""},
		{"السلام عليكم ورحمة الله", "espeak-ng", ""},
		{"السلام عليكم ورحمة الله", "some voice", tts.Recorded},
		{"", "", ""},
	} {
		r := tts.SpeechRequest{OrgID: "acme", Text: check.text, Voice: check.voice}
		if got := c.FindVoice(t.Context(), r); got != check.want {
			t.Errorf("%q by %q: %q, want %q", check.text, check.voice, got, check.want)
		}
		said, err := c.Speak(t.Context(), r)
		if (err == nil) != (check.want != "") || said.Source != check.want {
			t.Errorf("%q by %q was spoken by %q, %v", check.text, check.voice, said.Source, err)
		}
	}
}
