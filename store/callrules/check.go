package callrules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store/phonenumber"
	"munadi/store/strictjson"
)

// Limits of the settings.
const (
	maxList      = 1000 // prefixes, holidays
	maxSlots     = 24   // per day
	maxText      = 2000 // characters of the disclosure and of the consent basis
	maxAttempts  = 1000
	maxLines     = 100_000
	maxRetention = 36_500 // days
)

// CheckRules validates the rules and returns all violations, in the order of the fields; nil for valid rules.
func CheckRules(r CallRules) []strictjson.Violation {
	c := ruleChecker{}
	c.addViolations(CheckZone("time_zone", r.TimeZone)...)
	if _, known := FindCity(r.City); r.City != "" && !known {
		c.addFailure("city", "must be one of %s, or empty", cityNames())
	}
	c.addViolations(CheckHours("calling_hours", r.CallingHours)...)
	c.checkHolidays(r.Holidays)
	c.checkRange("attempts_per_day", r.AttemptsPerDay, maxAttempts)
	c.checkRange("attempts_per_week", r.AttemptsPerWeek, maxAttempts)
	c.checkPrefixes("allowed_prefixes", r.AllowedPrefixes)
	c.checkPrefixes("blocked_prefixes", r.BlockedPrefixes)
	if r.CallerNumber != "" && !phonenumber.IsE164(r.CallerNumber) {
		c.addFailure("caller_number", "must be an E.164 number such as +966112345678, or empty")
	}
	if err := r.CallerNumbers.CheckRules(); err != nil {
		c.addFailure("caller_numbers", "%v", err)
	}
	if !slices.Contains([]RecordingRule{"", RecordOff, RecordAnnounce, RecordOn}, r.Recording) {
		c.addFailure("recording", "must be one of off, announce, on")
	}
	if !slices.Contains([]string{"", "spoken", "written"}, r.TextForm) {
		c.addFailure("text_form", "must be spoken or written")
	}
	if !slices.Contains([]string{"", "latn", "arab"}, r.Numerals) {
		c.addFailure("numerals", "must be latn or arab")
	}
	c.checkLength("disclosure", r.Disclosure)
	c.checkLength("consent_basis", r.ConsentBasis)
	c.checkRange("max_concurrent_calls", r.MaxConcurrent, maxLines)
	c.checkRange("retention_days.audio", r.RetentionDays.Audio, maxRetention)
	c.checkRange("retention_days.transcript", r.RetentionDays.Transcript, maxRetention)
	return c.found
}

// CheckZone validates the name of a time zone; nil for a valid or empty one, which means the default.
func CheckZone(field, name string) []strictjson.Violation {
	if _, err := loadLocation(name); err != nil || name == "Local" {
		message := fmt.Sprintf("%q is not an IANA time zone such as Asia/Riyadh", name)
		return []strictjson.Violation{{Field: field, Message: message}}
	}
	return nil
}

// CheckHours validates calling hours. Field names begin with field.
func CheckHours(field string, h CallingHours) []strictjson.Violation {
	c := ruleChecker{}
	open := 0
	for _, day := range slices.Sorted(maps.Keys(h)) {
		path := field + "." + string(day)
		if !slices.Contains(AllWeekdays(), day) {
			c.addFailure(path, "is not a weekday: sunday, monday, tuesday, wednesday, thursday, friday or saturday")
			continue
		}
		open += len(h[day])
		c.checkSlots(path, h[day])
	}
	if len(h) > 0 && open == 0 && len(c.found) == 0 {
		c.addFailure(field, "has no slot, so no call would ever be allowed; leave it out for no limit")
	}
	return c.found
}

// ruleChecker collects violations.
type ruleChecker struct{ found []strictjson.Violation }

func (c *ruleChecker) addViolations(v ...strictjson.Violation) { c.found = append(c.found, v...) }

func (c *ruleChecker) addFailure(field, format string, args ...any) {
	c.addViolations(strictjson.Violation{Field: field, Message: fmt.Sprintf(format, args...)})
}

func (c *ruleChecker) checkRange(field string, n, most int) {
	if n < 0 || n > most {
		c.addFailure(field, "must be 0 (no limit) to %d", most)
	}
}

func (c *ruleChecker) checkLength(field, text string) {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxText {
		c.addFailure(field, "must be text of at most %d characters", maxText)
	}
}

// checkSlots validates each slot of a day, and that none overlap.
func (c *ruleChecker) checkSlots(path string, slots []HourSlot) {
	if len(slots) > maxSlots {
		c.addFailure(path, "has more than %d slots", maxSlots)
		return
	}
	for i, s := range slots {
		c.checkSlot(fmt.Sprintf("%s.%d", path, i), s)
		for j, other := range slots[:i] {
			if s.overlapsWith(other) {
				c.addFailure(fmt.Sprintf("%s.%d", path, i), "overlaps slot %d (%s to %s)", j, other.From, other.To)
			}
		}
	}
}

func (c *ruleChecker) checkSlot(path string, s HourSlot) {
	from, ok := parseClock(s.From)
	if !ok || from == 24*time.Hour {
		c.addFailure(path+".from", "must be a time from 00:00 to 23:59")
		ok = false
	}
	to, fine := parseClock(s.To)
	if !fine {
		c.addFailure(path+".to", "must be a time from 00:01 to 24:00")
	}
	if ok && fine && to <= from {
		c.addFailure(path+".to", "must be after %s; a slot over midnight is two, the first ending at 24:00", s.From)
	}
}

func (s HourSlot) overlapsWith(o HourSlot) bool {
	a, ok := s.toSpan()
	b, fine := o.toSpan()
	return ok && fine && a.from < b.to && b.from < a.to
}

func (c *ruleChecker) checkHolidays(days []string) {
	if len(days) > maxList {
		c.addFailure("holidays", "has more than %d days", maxList)
		return
	}
	for i, day := range days {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			c.addFailure(fmt.Sprintf("holidays.%d", i), "must be a day as YYYY-MM-DD")
		}
	}
}

func (c *ruleChecker) checkPrefixes(field string, list []string) {
	if len(list) > maxList {
		c.addFailure(field, "has more than %d prefixes", maxList)
		return
	}
	for i, p := range list {
		if !validPrefix(p) {
			c.addFailure(fmt.Sprintf("%s.%d", field, i), "must be the beginning of an E.164 number, such as +966")
		}
	}
}

// validPrefix reports whether p is "+", a first digit other than 0, and at most 15 digits in total.
func validPrefix(p string) bool {
	digits, found := strings.CutPrefix(p, "+")
	return found && len(digits) >= 1 && len(digits) <= 15 && digits[0] != '0' &&
		strings.Trim(digits, "0123456789") == ""
}
