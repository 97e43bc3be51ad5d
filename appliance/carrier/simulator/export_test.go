package simulator

import (
	"slices"

	"munadi/appliance/carrier"
)

// OverTheLine returns a clip in a voice as we receive it over the line, with silence before and after.
func (s *Simulator) OverTheLine(who Person, name, variant string) []int16 {
	chance := chanceOf(s.options.Seed, name, 1)
	v := personVoice{bundle: s.options.Bundle, variant: variant}
	out := append(append(makeSilence(0.5), v.loadClip(name)...), makeSilence(0.8)...)
	out = out[:len(out)/carrier.Samples*carrier.Samples]
	line := s.newChannel(who, chance)
	for at := 0; at < len(out); at += carrier.Samples {
		line.passFrame(out[at : at+carrier.Samples])
	}
	return out
}

// SpokenClips returns the clips that callees answer with, by kind of question.
func SpokenClips() map[string][]string {
	return map[string][]string{
		"yes":    slices.Concat(yesAppointment, yesPerson, yesAnything, yesRight),
		"no":     slices.Concat(noAppointment, noAnything, noMore, noRight),
		"date":   dates,
		"time":   times,
		"number": amounts,
		"dish":   dishes,
		"text":   slices.Concat(drinks, names, addresses),
	}
}

// IsMisheard reports whether simulated callees avoid a clip in a voice because it is often recognized wrongly.
func IsMisheard(name, variant string) bool { return misheard[name] || misheard[name+"."+variant] }
