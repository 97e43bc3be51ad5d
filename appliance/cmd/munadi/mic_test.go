package main

import (
	"errors"
	"strings"
	"testing"

	"munadi/engine"
	"munadi/engine/mic"
)

func TestMicWriter(t *testing.T) {
	t.Parallel()
	events := []engine.StreamEvent{
		{Type: engine.SpeechStarted},
		{Type: engine.Partial, Text: "السلام"},
		{Type: engine.Partial, Text: "السلام"}, // a terminal shows it already
		{Type: engine.Final, Text: "السلام عليكم", Start: 1, End: 2, Words: []engine.Word{{Text: "السلام"}}},
		{Type: engine.Final},
	}
	for _, c := range []struct {
		name string
		w    micWriter
		want string
	}{
		{"file", micWriter{}, "السلام عليكم\n"},
		{"terminal", micWriter{width: func() int { return 80 }}, "\r\x1b[Kالسلام\r\x1b[Kالسلام عليكم\n"},
		{"narrow", micWriter{width: func() int { return 6 }}, "\r\x1b[K…لام\r\x1b[Kالسلام عليكم\n"},
		{"json", micWriter{json: true}, strings.Repeat(`{"type":"partial","start":0,"end":0,"text":"السلام","confidence":0}`+"\n", 2) +
			`{"type":"final","start":1,"end":2,"text":"السلام عليكم","confidence":0,"words":[{"word":"السلام","start":0,"end":0,"confidence":0}]}` +
			"\n" + `{"type":"final","start":0,"end":0,"text":"","confidence":0}` + "\n"},
	} {
		var out strings.Builder
		c.w.out = &out
		if err := c.w.writeEvents(events); err != nil || out.String() != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, out.String(), err, c.want)
		}
	}
}

// TestMicTextForm: with a form only final texts are written; a number that goes on in the next turn is redacted.
func TestMicTextForm(t *testing.T) {
	t.Parallel()
	events := []engine.StreamEvent{
		{Type: engine.Partial, Text: "صفر خمسة"},
		{Type: engine.Final, Text: "رقمي صفر خمسة صفر"},
		{Type: engine.Final, Text: "واحد اتنين والحساب خمسة وعشرين ريال"},
	}
	for want, flags := range map[string]textFlags{
		"رقمي 050\nواحد اتنين والحساب 25 SAR\n":                    {TextForm: "written"},
		"رقمي صفر خمسة صفر\n[…] والحساب خمسة وعشرين ريال\n":        {TextForm: "spoken", Redact: true},
		"رقمي صفر خمسة صفر\nواحد اتنين والحساب خمسة وعشرين ريال\n": {TextForm: "spoken"},
	} {
		var out strings.Builder
		w := (&MicCmd{textFlags: flags}).newWriter(&out)
		if err := w.writeEvents(events); err != nil || out.String() != want {
			t.Errorf("%+v: %q, %v; want %q", flags, out.String(), err, want)
		}
	}
}

func TestMicHelp(t *testing.T) {
	t.Parallel()
	for _, err := range []error{mic.ErrNoDevice, mic.ErrNoSoundSystem} {
		if said := withMicrophoneHelp(err); !errors.Is(said, err) || !strings.Contains(said.Error(), ";") {
			t.Errorf("%v: %v", err, said)
		}
	}
}
