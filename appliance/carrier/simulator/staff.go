package simulator

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"munadi/appliance/carrier"
)

// staffParty is a simulated member of staff to whom a call is offered or given. The number chooses the manner, as of
// people who are called; one that answers
//
//	takes the call (most), refuses it ([Cancels]: key 2), presses nothing ([Silent]), or hangs up during the
//	announcement ([HangsUp]).
//
// Who has the call says hello, talks for a while and hangs up.
type staffParty struct {
	who    Person
	voice  personVoice
	ears   *playQueue
	asked  bool // a call was announced
	wait   int  // frames until the next act
	talks  int  // frames of conversation left
	told   int  // frames of an announcement that were heard
	saying []int16
	has    bool // the call
}

// Timing of staff, in frames.
const (
	staffThinks = 40      // before a key, or before hello
	staffTalks  = 50 * 20 // with the person
	staffLeaves = 50      // into the announcement, for who hangs up then
	staffPause  = 50 * 3  // between two sentences
	staffHello  = "callee.hello_salam"
	staffAnswer = "callee.ok"
)

// answerAsStaff creates the line to a member of staff.
func (s *Simulator) answerAsStaff(who Person, number string, chance *rand.Rand) *simulatedLine {
	l := &simulatedLine{
		pace: framePacer{scale: s.options.TimeScale, start: time.Now()}, ears: &playQueue{},
		channel: s.newChannel(who, chance), hung: make(chan struct{}),
	}
	v := personVoice{bundle: s.options.Bundle, variant: voiceOf(number)}
	switch who {
	case Voicemail, Mailbox, SwitchedOff, Menu:
		l.party = newMachine(who, v)
	default:
		l.party = &staffParty{who: who, voice: v, ears: l.ears, wait: staffThinks, talks: staffTalks}
	}
	return l
}

// digitsOf returns the digits of the user of a SIP address: an extension.
func digitsOf(address string) string {
	user, _, _ := strings.Cut(address[strings.IndexByte(address, ':')+1:], "@")
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, user)
}

// tick implements lineParty.
func (p *staffParty) tick(_ context.Context, in []int16) (keys string, gone bool) {
	if announcement := p.ears.currentSpeech(); announcement != nil && announcement.Text != "" {
		p.asked = true
		if p.told++; p.who == HangsUp && p.told > staffLeaves {
			return "", true
		}
		return "", false
	}
	if p.who == Silent {
		return "", false
	}
	if p.wait--; p.wait > 0 {
		p.saying = p.saying[copy(in, p.saying):]
		return "", false
	}
	return p.act()
}

// act decides on an announced call, or talks with the person.
func (p *staffParty) act() (keys string, gone bool) {
	switch {
	case p.asked && p.who == Cancels:
		p.asked, p.wait = false, staffThinks
		return "2", false
	case p.asked:
		p.asked, p.wait = false, staffThinks
		return "1", false
	case !p.has:
		p.has, p.saying = true, p.voice.loadClip(staffHello)
	case p.talks <= 0:
		return "", true
	default:
		p.saying = p.voice.loadClip(staffAnswer)
	}
	p.wait = staffPause
	p.talks -= staffPause
	return "", false
}

var _ lineParty = (*staffParty)(nil)

var _ carrier.Line = (*simulatedLine)(nil)
