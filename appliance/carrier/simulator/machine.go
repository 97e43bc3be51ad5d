package simulator

import "context"

// machine is what answers instead of a person: it says what it has to say, waits and hangs up.
type machine struct {
	left  []int16
	after int // frames of silence behind that
}

func newMachine(who Person, v voice) *machine {
	var parts [][]int16
	switch who {
	case Mailbox:
		parts = [][]int16{pause(0.4), v.say("machine.mailbox"), pause(0.4), beep(1400, 0.5)}
	case SwitchedOff:
		parts = [][]int16{
			pause(0.2), v.say("machine.switched_off"), pause(1), v.say("machine.switched_off"),
		}
	case Menu:
		parts = [][]int16{pause(0.3), v.say("machine.ivr"), pause(4), v.say("machine.ivr")}
	default:
		parts = [][]int16{pause(0.6), v.say("machine.voicemail"), pause(0.3), beep(1000, 0.6)}
	}
	m := &machine{after: seconds(60)}
	if who == SwitchedOff {
		m.after = seconds(0.5)
	}
	for _, p := range parts {
		m.left = append(m.left, p...)
	}
	return m
}

func (m *machine) tick(_ context.Context, in []int16) (keys string, gone bool) {
	if len(m.left) == 0 {
		m.after--
	}
	m.left = m.left[copy(in, m.left):]
	return "", m.after < 0
}
