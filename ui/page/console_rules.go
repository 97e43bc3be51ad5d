package page

import (
	"fmt"
	"strconv"
	"strings"

	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Rules is the page of the dialling rules. Everything in the form is text as it was typed, so that what was wrong can
// be shown again beside what is wrong with it.
type Rules struct {
	shell.ConsolePage
	Stopped   bool // no call goes out
	MayStop   bool
	MayChange bool

	Zone     string
	Always   bool // no calling hours
	Days     []RulesDay
	Holidays string

	PerDay, PerWeek  string
	Allowed, Blocked string
	Invalid          bool // suppress numbers that don't exist

	Recording           string // on, announce or off
	Disclosure, Consent string
	Lines               string
	KeepAudio, KeepText string

	Faults map[string]string // sentence by the field's name
}

// RulesDay is a weekday's row.
type RulesDay struct {
	Key   string // its English name
	Slots []RulesSlot
	Open  []Stretch // for the strip: what is open now
}

// RulesSlot is a stretch of the day as typed.
type RulesSlot struct{ From, To string }

// Stretch is a part of a day, in minutes since midnight.
type Stretch struct{ From, To int }

func (p Rules) words() text.Rules { return text.RulesIn(p.Lang) }

// field is the name of a slot's field.
func (d RulesDay) field(i int, end string) string {
	return fmt.Sprintf("hours.%s.%d.%s", d.Key, i, end)
}

// slotFault is what is wrong with a slot: in itself, or at one of its ends.
func (p Rules) slotFault(d RulesDay, i int) string {
	for _, end := range []string{"from", "to", "slot"} {
		if fault := p.Faults[d.field(i, end)]; fault != "" {
			return fault
		}
	}
	return ""
}

// slotLabel names a slot's field to those who don't see the grid.
func slotLabel(w text.Rules, d RulesDay, i int, end string) string {
	return w.Weekday(d.Key) + ", " + strconv.Itoa(i+1) + ", " + end
}

// zones are suggested; any other is taken too.
func zones() []string {
	return strings.Fields(`Asia/Riyadh Asia/Dubai Asia/Kuwait Asia/Qatar Asia/Bahrain Asia/Muscat Asia/Aden Asia/Baghdad
		Asia/Amman Asia/Beirut Asia/Damascus Asia/Gaza Africa/Cairo Africa/Khartoum Africa/Tripoli Africa/Tunis
		Africa/Algiers Africa/Casablanca Africa/Nouakchott Europe/Istanbul Europe/London Europe/Berlin UTC`)
}

// faulty is for aria-invalid.
func (p Rules) faulty(field string) string { return strconv.FormatBool(p.Faults[field] != "") }

// ResumeRules asks before calls go out again.
type ResumeRules struct{ shell.ConsolePage }

func resumeQuestion(p ResumeRules, w text.Rules) part.Question {
	return part.Question{
		Title: w.ResumeTitle, Text: w.ResumeText, Action: "/console/rules/resume", CSRF: p.CSRF, Do: w.Resume,
		Back: "/console/rules", Leave: w.Back,
	}
}
