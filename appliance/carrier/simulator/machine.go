package simulator

import "context"

// answeringMachine answers instead of a person: it plays its announcement, waits and hangs up.
type answeringMachine struct {
	left  []int16
	after int // frames of silence after it
}

func newMachine(who Person, v personVoice) *answeringMachine {
	var parts [][]int16
	switch who {
	case Mailbox:
		parts = [][]int16{makeSilence(0.4), v.loadClip("machine.mailbox"), makeSilence(0.4), makeBeep(1400, 0.5)}
	case SwitchedOff:
		parts = [][]int16{
			makeSilence(0.2), v.loadClip("machine.switched_off"), makeSilence(1), v.loadClip("machine.switched_off"),
		}
	case Menu:
		parts = [][]int16{makeSilence(0.3), v.loadClip("machine.ivr"), makeSilence(4), v.loadClip("machine.ivr")}
	default:
		parts = [][]int16{makeSilence(0.6), v.loadClip("machine.voicemail"), makeSilence(0.3), makeBeep(1000, 0.6)}
	}
	m := &answeringMachine{after: samplesForSeconds(60)}
	if who == SwitchedOff {
		m.after = samplesForSeconds(0.5)
	}
	for _, p := range parts {
		m.left = append(m.left, p...)
	}
	return m
}

func (m *answeringMachine) tick(_ context.Context, in []int16) (keys string, gone bool) {
	if len(m.left) == 0 {
		m.after--
	}
	m.left = m.left[copy(in, m.left):]
	return "", m.after < 0
}
