// Package amd detects answering machines from the first sounds after the answer (answering machine detection).
//
// It takes frames and transcripts and returns a verdict; the conversation decides about the call. It starts at the
// answer and ignores early media: ringing is no greeting. The conversation does not wait for the verdict: the platform
// speaks first, and the verdict comes meanwhile.
//
// A person must never be hung up on. So a machine is detected only by sounds and phrases that no person produces:
//
//   - a beep: one frequency from 350 to 2200 Hz has more than 85 % of a frame's energy for 200 ms, within 30 s of the
//     answer, out of quiet and without a change in pitch or level: nasals and high vowels are as pure for as long, but
//     waver. 425 Hz is the tone of ringing and busy lines and is ignored.
//   - 2100 Hz for half a second: an answering fax (ITU-T T.30, CED), also with the phase reversals and the modulation
//     of modems (V.25, V.8). 1100 Hz for half a second out of quiet, before any speech: a calling fax (CNG).
//   - special information tones (ITU-T E.180): three rising tones, around 950, 1400 and 1800 Hz.
//   - call progress tones in the audio of an answered call: busy, congestion (fast busy), ringing and dial tone,
//     detected by pitch and cadence.
//   - music: 6 s of sound without a pause whose strongest pitch is held, as in no speech, before a word was understood.
//   - a phrase of a machine ("leave a message after the tone") in a turn of at least three words. A turn that has a
//     human phrase too ("hello") is a person's until a beep follows; a person's word is overturned by two such phrases.
//
// The length of speech is no evidence against a person: a polite Arabic greeting is as long as a recorded one. A short
// greeting gives the verdict "human", silence for 6 s or a long turn without a known phrase "unsure", and both are
// treated alike. After an answered question the verdict stays "human".
//
// The thresholds were tried on synthetic clips only (the Asterisk app_amd sample's, adapted); they have not been
// validated on real Arabic voicemail.
package amd

import (
	"encoding/json"
	"time"

	"munadi/appliance/conversation/phrase"
	"munadi/engine/audio"
)

// AnswerVerdict is the kind of party that answered.
type AnswerVerdict string

// The verdicts.
const (
	Human        AnswerVerdict = "human"
	Voicemail    AnswerVerdict = "voicemail"
	IVR          AnswerVerdict = "ivr" // a menu, or a call screening service
	Announcement AnswerVerdict = "announcement"
	Fax          AnswerVerdict = "fax"
	BusyTone     AnswerVerdict = "busy_tone"
	RingingTone  AnswerVerdict = "ringing_tone"
	Music        AnswerVerdict = "music"
	Unsure       AnswerVerdict = "unsure"
	// CongestionTone is fast busy, and InformationTone special information tones.
	CongestionTone  AnswerVerdict = "congestion_tone"
	InformationTone AnswerVerdict = "information_tone"
)

// IsLineTone reports whether the verdict is a tone behind which nobody is: a fax's, or the network's for a call that
// does not reach anyone.
func (v AnswerVerdict) IsLineTone() bool {
	return v == Fax || v == BusyTone || v == CongestionTone || v == InformationTone
}

// IsMachine reports whether the verdict is a machine.
func (v AnswerVerdict) IsMachine() bool { return v != Human && v != Unsure }

// Decision is a verdict, its evidence, and its time since the answer.
type Decision struct {
	Verdict AnswerVerdict
	// Cause is beep, tone, calling_tone, information_tones, cadence, music, phrase, greeting, answer, length or
	// silence.
	Cause string
	At    time.Duration
}

// Time and length limits of the detection.
const (
	horizon      = 30 * time.Second // end of machine detection
	silenceLimit = 6 * time.Second  // without a word until then the verdict is unknown
	greeting     = 1500 * time.Millisecond
	minWords     = 3 // minimum words of a turn that one phrase classifies as a machine's
)

// GreetingPhrases are phrases of machines and people, by class.
type GreetingPhrases struct {
	voicemail, announcement, ivr, screening, human phrase.PhraseList

	// Sentences are phrases expected right after the answer, for the recognizer.
	Sentences []string
}

// ReadPhrases reads the JSON form: an object of arrays named voicemail, announcement, ivr, screening, human and
// sentences.
func ReadPhrases(data []byte) (*GreetingPhrases, error) {
	var raw struct{ Voicemail, Announcement, IVR, Screening, Human, Sentences []string }
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	return &GreetingPhrases{
		voicemail:    phrase.NewList(raw.Voicemail),
		announcement: phrase.NewList(raw.Announcement),
		ivr:          phrase.NewList(raw.IVR),
		screening:    phrase.NewList(raw.Screening),
		human:        phrase.NewList(raw.Human),
		Sentences:    raw.Sentences,
	}, nil
}

// MachineDetector follows one call. It belongs to one goroutine.
type MachineDetector struct {
	phrases *GreetingPhrases
	tone    toneTracker
	cadence cadenceTracker
	music   musicTracker
	got     Decision
	said    bool // a human phrase was heard
	final   bool
	beeped  bool // the mailbox's tone was heard
	quiet   int  // frames of quiet since then
}

// NewDetector makes a detector.
func NewDetector(p *GreetingPhrases) *MachineDetector {
	return &MachineDetector{phrases: p, got: Decision{Verdict: Unsure, Cause: "undecided"}}
}

// IsOpen reports whether a machine may still be detected.
func (d *MachineDetector) IsOpen(now time.Duration) bool { return !d.final && now <= horizon }

// Decision returns the current verdict.
func (d *MachineDetector) Decision() Decision { return d.got }

// PushFrame processes 20 ms of the other side, at 8 kHz, starting at that time.
func (d *MachineDetector) PushFrame(at time.Duration, in []int16) {
	if d.final {
		d.followTone(in)
		return
	}
	if at > horizon {
		return
	}
	switch d.tone.pushFrame(in) {
	case beep:
		d.setVerdict(Voicemail, "beep", at)
		d.beeped = true
	case fax:
		d.setVerdict(Fax, "tone", at)
	case callingFax:
		d.setVerdict(Fax, "calling_tone", at)
	case information:
		d.setVerdict(InformationTone, "information_tones", at)
	}
	if d.final {
		return
	}
	switch d.cadence.pushFrame(in, at) {
	case lineBusy:
		d.setVerdict(BusyTone, "cadence", at)
	case lineCongested:
		d.setVerdict(CongestionTone, "cadence", at)
	case lineRinging:
		d.setVerdict(RingingTone, "cadence", at)
	}
	if !d.final && d.music.pushFrame(in) {
		d.setVerdict(Music, "music", at)
	}
	if at >= silenceLimit && d.got.Cause == "undecided" {
		d.got = Decision{Unsure, "silence", at}
	}
}

// toneQuiet is the quiet that ends a mailbox's tone, in frames.
const toneQuiet = 15

// followTone waits for the end of the mailbox's tone.
func (d *MachineDetector) followTone(in []int16) {
	if d.got.Verdict != Voicemail {
		return
	}
	if !d.beeped {
		d.beeped = d.tone.pushFrame(in) == beep
		return
	}
	d.quiet++
	if audio.MeasureRMS(in) >= minToneLevel {
		d.quiet = 0
	}
}

// IsToneOver reports whether a mailbox's beep has ended, so that speech is recorded from now on.
func (d *MachineDetector) IsToneOver() bool { return d.beeped && d.quiet >= toneQuiet }

// PushTurn processes the transcript of a turn of the other side.
func (d *MachineDetector) PushTurn(text string, start, end, now time.Duration) {
	words := phrase.FoldWords(text)
	if d.final || start > horizon || len(words) == 0 {
		return
	}
	d.music, d.cadence = musicTracker{}, cadenceTracker{spoken: true}
	verdict, count := d.classifyWords(words)
	human := d.phrases.human.IndexIn(words) >= 0
	switch {
	case count > 1 && !human, count == 1 && len(words) >= minWords && !human && !d.said:
		d.setVerdict(verdict, "phrase", now)
	case d.said:
	case human:
		d.said = true
		d.got = Decision{Human, "phrase", now}
	case end-start < greeting:
		d.got = Decision{Human, "greeting", now}
	default:
		d.got = Decision{Unsure, "length", now}
	}
}

// classifyWords is the first class that has a phrase in the words, and the number of machine phrases in them: an
// announcement often precedes a mailbox greeting.
func (d *MachineDetector) classifyWords(words []string) (AnswerVerdict, int) {
	verdict, count := Unsure, 0
	for _, c := range []struct {
		verdict AnswerVerdict
		list    phrase.PhraseList
	}{
		{Voicemail, d.phrases.voicemail},
		{IVR, d.phrases.ivr},
		{IVR, d.phrases.screening},
		{Announcement, d.phrases.announcement},
	} {
		n := c.list.CountIn(words)
		if n > 0 && count == 0 {
			verdict = c.verdict
		}
		count += n
	}
	return verdict, count
}

// ConfirmPerson sets the verdict "human", because the other side answered a question. It is final.
func (d *MachineDetector) ConfirmPerson(now time.Duration) {
	if d.final {
		return
	}
	if d.got.Verdict != Human {
		d.got = Decision{Human, "answer", now}
	}
	d.final = true
}

func (d *MachineDetector) setVerdict(v AnswerVerdict, cause string, at time.Duration) {
	d.got, d.final = Decision{v, cause, at}, true
}
