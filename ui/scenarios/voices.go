package scenarios

import "munadi/ui/locale"

// LineVoice is the voice that speaks a line.
type LineVoice string

// The voices. A line with values that only a call fills in may have none that is known before.
const (
	OwnVoice      LineVoice = "own"       // a recording of the organization
	RecordedVoice LineVoice = "recorded"  // a recording of the bundled voice
	JoinedVoice   LineVoice = "blocks"    // joined of recordings of the bundled voice
	NeuralVoice   LineVoice = "neural"    // an installed neural voice
	EndpointVoice LineVoice = "endpoint"  // the speech service
	RobotVoice    LineVoice = "espeak-ng" // eSpeak NG
	NoVoice       LineVoice = ""
)

// isRecorded reports whether people hear a recording.
func (v LineVoice) isRecorded() bool { return v == OwnVoice || v == RecordedVoice || v == JoinedVoice }

// VoiceName returns the display name of the voice of a line.
func VoiceName(l locale.Language, v LineVoice) string {
	if v == NoVoice {
		return VoiceNone.In(l)
	}
	return locale.NameOf(l, string(v), map[string]locale.Text{
		string(OwnVoice): VoiceOwn, string(RecordedVoice): VoiceRecorded, string(JoinedVoice): VoiceJoined,
		string(NeuralVoice): VoiceNeural, string(EndpointVoice): VoiceEndpoint, string(RobotVoice): VoiceRobot,
	})
}

// CallVoices are the voices of a scenario's lines.
type CallVoices struct {
	Counts     []VoiceCount // voices that speak lines, each text once
	Unrecorded []string     // fixed lines without a recording
}

// VoiceCount is how many lines a voice speaks.
type VoiceCount struct {
	Voice LineVoice
	Lines int
}

// AddLine counts a line.
func (c *CallVoices) AddLine(v LineVoice, text string, fixed bool) {
	if fixed && !v.isRecorded() {
		c.Unrecorded = append(c.Unrecorded, text)
	}
	if !fixed && v == NoVoice {
		return
	}
	for i := range c.Counts {
		if c.Counts[i].Voice == v {
			c.Counts[i].Lines++
			return
		}
	}
	c.Counts = append(c.Counts, VoiceCount{v, 1})
}

// IsMixed reports whether people hear recordings and a synthetic voice in one call, or two recorded voices.
func (c CallVoices) IsMixed() bool {
	heard := map[string]bool{}
	for _, count := range c.Counts {
		switch {
		case count.Voice == OwnVoice:
			heard["own"] = true
		case count.Voice.isRecorded():
			heard["bundled"] = true
		case count.Voice != NoVoice:
			heard[string(count.Voice)] = true
		}
	}
	return len(heard) > 1
}
