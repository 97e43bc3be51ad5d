package dialling

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Violation is one rule that a setting breaks.
type Violation struct {
	Field   string // dotted path in the JSON: "calling_hours.monday.0.to"
	Message string
}

// The bounds of what an organization may set.
const (
	maxList      = 1000 // prefixes, holidays
	maxSlots     = 24   // of a day
	maxText      = 2000 // characters of the disclosure and of the consent basis
	maxAttempts  = 1000
	maxLines     = 100_000
	maxRetention = 36_500 // days
)

// CheckRules lists everything that is wrong with the rules, in the order of their fields; nil when nothing is.
func CheckRules(r Rules) []Violation {
	c := checker{}
	c.add(CheckZone("time_zone", r.TimeZone)...)
	c.add(CheckHours("calling_hours", r.CallingHours)...)
	c.holidays(r.Holidays)
	c.within("attempts_per_day", r.AttemptsPerDay, maxAttempts)
	c.within("attempts_per_week", r.AttemptsPerWeek, maxAttempts)
	c.prefixes("allowed_prefixes", r.AllowedPrefixes)
	c.prefixes("blocked_prefixes", r.BlockedPrefixes)
	if !slices.Contains([]Recording{"", RecordOff, RecordAnnounce, RecordOn}, r.Recording) {
		c.fail("recording", "must be one of off, announce, on")
	}
	c.short("disclosure", r.Disclosure)
	c.short("consent_basis", r.ConsentBasis)
	c.within("max_concurrent_calls", r.MaxConcurrent, maxLines)
	c.within("retention_days.audio", r.RetentionDays.Audio, maxRetention)
	c.within("retention_days.transcript", r.RetentionDays.Transcript, maxRetention)
	return c.found
}

// CheckZone says what is wrong with a zone's name; nil for none, which is somebody's default.
func CheckZone(field, name string) []Violation {
	if _, err := location(name); err != nil || name == "Local" {
		return []Violation{{field, fmt.Sprintf("%q is not an IANA time zone such as Asia/Riyadh", name)}}
	}
	return nil
}

// CheckHours lists what is wrong with hours. Fields begin with the one given.
func CheckHours(field string, h Hours) []Violation {
	c := checker{}
	open := 0
	for _, day := range slices.Sorted(maps.Keys(h)) {
		path := field + "." + string(day)
		if !slices.Contains(Weekdays(), day) {
			c.fail(path, "is not a weekday: sunday, monday, tuesday, wednesday, thursday, friday or saturday")
			continue
		}
		open += len(h[day])
		c.slots(path, h[day])
	}
	if len(h) > 0 && open == 0 && len(c.found) == 0 {
		c.fail(field, "has no slot, so that nobody could ever be called; leave it out for no limit")
	}
	return c.found
}

// checker gathers violations.
type checker struct{ found []Violation }

func (c *checker) add(v ...Violation) { c.found = append(c.found, v...) }

func (c *checker) fail(field, format string, args ...any) {
	c.add(Violation{field, fmt.Sprintf(format, args...)})
}

func (c *checker) within(field string, n, most int) {
	if n < 0 || n > most {
		c.fail(field, "must be 0 (no limit) to %d", most)
	}
}

func (c *checker) short(field, text string) {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxText {
		c.fail(field, "must be text of at most %d characters", maxText)
	}
}

// slots checks one day: each slot by itself, then that none reaches into another.
func (c *checker) slots(path string, slots []Slot) {
	if len(slots) > maxSlots {
		c.fail(path, "has more than %d slots", maxSlots)
		return
	}
	for i, s := range slots {
		c.slot(fmt.Sprintf("%s.%d", path, i), s)
		for j, other := range slots[:i] {
			if s.overlaps(other) {
				c.fail(fmt.Sprintf("%s.%d", path, i), "overlaps slot %d (%s to %s)", j, other.From, other.To)
			}
		}
	}
}

func (c *checker) slot(path string, s Slot) {
	from, ok := clock(s.From)
	if !ok || from == 24*time.Hour {
		c.fail(path+".from", "must be a time from 00:00 to 23:59")
		ok = false
	}
	to, fine := clock(s.To)
	if !fine {
		c.fail(path+".to", "must be a time from 00:01 to 24:00")
	}
	if ok && fine && to <= from {
		c.fail(path+".to", "must be after %s; a slot over midnight is two, the first ending at 24:00", s.From)
	}
}

func (s Slot) overlaps(o Slot) bool {
	a, ok := s.span()
	b, fine := o.span()
	return ok && fine && a.from < b.to && b.from < a.to
}

func (c *checker) holidays(days []string) {
	if len(days) > maxList {
		c.fail("holidays", "has more than %d days", maxList)
		return
	}
	for i, day := range days {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			c.fail(fmt.Sprintf("holidays.%d", i), "must be a day as YYYY-MM-DD")
		}
	}
}

func (c *checker) prefixes(field string, list []string) {
	if len(list) > maxList {
		c.fail(field, "has more than %d prefixes", maxList)
		return
	}
	for i, p := range list {
		if !validPrefix(p) {
			c.fail(fmt.Sprintf("%s.%d", field, i), "must be the beginning of an E.164 number, such as +966")
		}
	}
}

// validPrefix wants "+", a first digit that is not 0, and at most 15 digits.
func validPrefix(p string) bool {
	digits, found := strings.CutPrefix(p, "+")
	return found && len(digits) >= 1 && len(digits) <= 15 && digits[0] != '0' &&
		strings.Trim(digits, "0123456789") == ""
}
