// Package announcement names what an operator's announcement says about a called number: in the early media of a call
// that was not answered. It knows no line and no call.
package announcement

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"munadi/appliance/conversation/phrase"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/call"
)

// rate is that of the sound of a line.
const rate = 8000

// AnnouncementPhrases are the phrases of operators, by cause.
type AnnouncementPhrases struct {
	subject   phrase.PhraseList // the number, the subscriber, …: what every announcement names
	causes    []causePhrases    // the first that is found counts
	switched  phrase.PhraseList
	coverage  phrase.PhraseList
	sentences []string // for the recognizer
}

type causePhrases struct {
	reason call.FailureReason
	list   phrase.PhraseList
}

// ReadPhrases reads words/announcements.json.
func ReadPhrases(files fs.FS) (*AnnouncementPhrases, error) {
	const name = "words/announcements.json"
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	var raw map[string][]string
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	list := func(key string) phrase.PhraseList { return phrase.NewList(raw[key]) }
	return &AnnouncementPhrases{
		subject: list("subject"), switched: list("switched_off"), coverage: list("out_of_coverage"),
		causes: []causePhrases{
			{call.OutOfCoverage, list("out_of_coverage")},
			{call.NotInService, list("not_in_service")},
			{call.SwitchedOff, list("switched_off")},
			{call.Busy, list("busy")},
			{call.Unavailable, list("unavailable")},
		},
		sentences: raw["sentences"],
	}, nil
}

// ClassifyText returns what an announcement says: [call.SwitchedOff], [call.OutOfCoverage], [call.NotInService],
// [call.Busy] or [call.Unavailable]; "switched off or out of coverage" is the last. Empty for other texts: an
// announcement names the number or the subscriber, and a cause.
func (p *AnnouncementPhrases) ClassifyText(text string) call.FailureReason {
	words := phrase.FoldWords(strings.ToLower(text))
	if p.subject.IndexIn(words) < 0 {
		return ""
	}
	if p.switched.IndexIn(words) >= 0 && p.coverage.IndexIn(words) >= 0 {
		return call.Unavailable
	}
	for _, c := range p.causes {
		if c.list.IndexIn(words) >= 0 {
			return c.reason
		}
	}
	return ""
}

// Listener hears announcements.
type Listener struct {
	Phrases    *AnnouncementPhrases
	Recognizer interface {
		Transcribe(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	}
}

// HearAnnouncement returns what the announcement in a sound of 8000 samples per second says; empty if there is none
// that is understood.
func (l *Listener) HearAnnouncement(ctx context.Context, sound []int16) (call.FailureReason, error) {
	narrow := make([]float32, len(sound))
	for i, s := range sound {
		narrow[i] = float32(s) / 32768
	}
	r := audio.NewResampler(rate, audio.Rate)
	src := engine.NewSampleReader(r.Flush(r.Push(nil, narrow)))
	heard, err := l.Recognizer.Transcribe(ctx, src, engine.TranscribeOptions{Phrases: l.Phrases.sentences})
	if err != nil {
		return "", err
	}
	for _, s := range heard.Segments {
		if reason := l.Phrases.ClassifyText(s.Text); reason != "" {
			return reason, nil
		}
	}
	return l.Phrases.ClassifyText(heard.Text), nil
}
