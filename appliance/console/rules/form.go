package rules

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/callerid"
	"munadi/store/callrules"
	"munadi/ui/form"
	"munadi/ui/locale"
	uirules "munadi/ui/rules"
)

// maxFormSlots is the largest number of calling-hours slots of a day in a form.
const maxFormSlots = 32

// readRules reads the form of the dialling rules, which has not the kill switch; hours are those of the week as typed.
// A number that can't be read becomes one that no rule allows.
func readRules(b *form.Binder, region string) (r callrules.CallRules, hours callrules.CallingHours) {
	uirules.BindRules(b, &r)
	r.CallerNumber, _ = kit.LocalNumber(r.CallerNumber, region)
	callers := r.CallerNumbers.FormatLines()
	for _, lines := range [][]string{callers, r.Holidays, r.AllowedPrefixes, r.BlockedPrefixes} {
		for i := range lines {
			lines[i] = kit.WesternDigits(lines[i])
		}
	}
	r.CallerNumbers = callerid.ParseLines(callers)
	kit.LocalCallers(r.CallerNumbers, region)
	for field, to := range map[string]*int{
		"attempts_per_day": &r.AttemptsPerDay, "attempts_per_week": &r.AttemptsPerWeek,
		"max_concurrent_calls": &r.MaxConcurrent, "retention_days.audio": &r.RetentionDays.Audio,
		"retention_days.transcript": &r.RetentionDays.Transcript,
	} {
		if b.BadNumbers[field] {
			*to = -1
		}
	}
	hours = parseHours(b.Given)
	if b.Given.Get("hours") == "week" {
		r.CallingHours = maps.Clone(hours)
		closed := func(_ callrules.Weekday, slots []callrules.HourSlot) bool { return len(slots) == 0 }
		if maps.DeleteFunc(r.CallingHours, closed); len(r.CallingHours) == 0 { // a week without any slot is refused
			r.CallingHours = hours
		}
	}
	return r, hours
}

// explainRules returns a sentence for each violation: those of the hours by the names of their fields, and the others.
func explainRules(found service.FieldViolations, l locale.Language) (hours map[string]string, others []form.Violation) {
	hours = map[string]string{}
	for _, v := range found {
		path, sentence := explainRule(v.Field, l)
		if strings.HasPrefix(path, "hours.") || path == "calling_hours" {
			if hours[path] == "" {
				hours[path] = sentence
			}
			continue
		}
		others = append(others, form.Violation{Path: path, Message: sentence})
	}
	return hours, others
}

// parseHours parses the slots of the grid and skips those that are empty. Every weekday is present, so that a week
// without slots (never) differs from no calling hours (always).
func parseHours(form url.Values) callrules.CallingHours {
	hours := callrules.CallingHours{}
	for _, day := range callrules.AllWeekdays() {
		hours[day] = nil
		for i := range maxFormSlots {
			name := fmt.Sprintf("hours.%s.%d.", day, i)
			slot := callrules.HourSlot{From: normalizeClock(form.Get(name + "from")), To: normalizeClock(form.Get(name + "to"))}
			if slot != (callrules.HourSlot{}) {
				hours[day] = append(hours[day], slot)
			}
		}
	}
	return hours
}

// normalizeClock normalizes a time as people type it: 9, 9:00, 09.00.
func normalizeClock(typed string) string {
	typed = strings.ReplaceAll(kit.WesternDigits(typed), ".", ":")
	hour, minute, found := strings.Cut(typed, ":")
	if typed == "" || len(hour) > 2 {
		return typed
	}
	if !found {
		minute = "00"
	}
	return fmt.Sprintf("%02s:%s", hour, minute)
}

// slotPath matches the path of a slot, or of its end, in the violations of package callrules.
var slotPath = regexp.MustCompile(`^calling_hours\.(\w+)\.(\d+)(?:\.(from|to))?$`)

// explainRule returns the form's field and the sentence for a violation, which a field with one of its own replaces.
func explainRule(path string, l locale.Language) (field, sentence string) {
	if m := slotPath.FindStringSubmatch(path); m != nil {
		sentence = map[string]string{
			"from": uirules.BadFrom.In(l), "to": uirules.BadTo.In(l), "": uirules.Overlap.In(l),
		}[m[3]]
		return fmt.Sprintf("hours.%s.%s.%s", m[1], m[2], cmp.Or(m[3], "slot")), sentence
	}
	if list, index, found := kit.CutIndex(path); found {
		text := uirules.BadPrefix
		if list == "holidays" {
			text = uirules.BadDay
		}
		return path, locale.FillLine(text.In(l), strconv.Itoa(index+1))
	}
	if path == "calling_hours" {
		return path, uirules.NoSlot.In(l)
	}
	return path, uirules.TooMany.In(l)
}
