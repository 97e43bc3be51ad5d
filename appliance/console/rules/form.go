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
	"munadi/store/callrules"
	"munadi/ui/locale"
	"munadi/ui/rules"
)

// maxFormSlots is the largest number of calling-hours slots of a day in a form.
const maxFormSlots = 32

// parseRulesForm parses the form of the dialling rules; the view holds the typed values, to be shown again. The kill
// switch is not part of the form.
func parseRulesForm(form url.Values, region string) (callrules.CallRules, rules.View) {
	r := callrules.CallRules{
		TimeZone: strings.TrimSpace(form.Get("time_zone")), City: form.Get("city"),
		Holidays:        splitFieldLines(form.Get("holidays")),
		AllowedPrefixes: splitFieldLines(form.Get("allowed_prefixes")),
		BlockedPrefixes: splitFieldLines(form.Get("blocked_prefixes")),
		SuppressInvalid: form.Get("suppress_invalid") == "true", Recording: callrules.RecordingRule(form.Get("recording")),
		Disclosure: kit.CleanText(form.Get("disclosure")), ConsentBasis: kit.CleanText(form.Get("consent_basis")),
	}
	r.TextForm, r.Numerals, r.Redact = form.Get("text_form"), form.Get("numerals"), form.Get("redact") == "true"
	r.CallerNumber, _ = kit.LocalNumber(form.Get("caller_number"), region)
	numbers := map[string]*int{
		"attempts_per_day": &r.AttemptsPerDay, "attempts_per_week": &r.AttemptsPerWeek,
		"max_concurrent_calls": &r.MaxConcurrent, "retention_days.audio": &r.RetentionDays.Audio,
		"retention_days.transcript": &r.RetentionDays.Transcript,
	}
	for field, to := range numbers {
		if typed := kit.WesternDigits(form.Get(field)); typed != "" {
			n, err := strconv.Atoi(typed)
			if err != nil {
				n = -1 // no limit may be negative
			}
			*to = n
		}
	}
	hours := parseHours(form)
	if form.Get("hours") == "week" {
		r.CallingHours = hours
	}
	view := typedRulesView(form, r, hours)
	closed := func(_ callrules.Weekday, slots []callrules.HourSlot) bool { return len(slots) == 0 }
	if open := maps.Clone(r.CallingHours); len(open) > 0 {
		if maps.DeleteFunc(open, closed); len(open) > 0 { // a week without any slot stays, and is refused
			r.CallingHours = open
		}
	}
	return r, view
}

// explainRules returns a sentence for each violation by the form's fields.
func explainRules(found service.FieldViolations, l locale.Language) map[string]string {
	faults := map[string]string{}
	for _, v := range found {
		if name, sentence := explainRule(v.Field, l); faults[name] == "" {
			faults[name] = sentence
		}
	}
	return faults
}

// typedRulesView returns the view of the typed values.
func typedRulesView(form url.Values, r callrules.CallRules, hours callrules.CallingHours) rules.View {
	p := rulesView(r)
	p.Always = form.Get("hours") != "week"
	p.PerDay, p.PerWeek = form.Get("attempts_per_day"), form.Get("attempts_per_week")
	p.Lines = form.Get("max_concurrent_calls")
	p.KeepAudio, p.KeepText = form.Get("retention_days.audio"), form.Get("retention_days.transcript")
	for i, day := range callrules.AllWeekdays() {
		p.Days[i] = dayView(day, hours[day], p.Always)
	}
	return p
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

// splitFieldLines returns the lines of a field without blank ones; nil for an empty field.
func splitFieldLines(typed string) []string {
	var out []string
	for line := range strings.Lines(kit.WesternDigits(typed)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// slotPath matches the path of a slot, or of its end, in the violations of package callrules.
var slotPath = regexp.MustCompile(`^calling_hours\.(\w+)\.(\d+)(?:\.(from|to))?$`)

// explainRule returns the form's field and the sentence for a violation.
func explainRule(path string, l locale.Language) (field, sentence string) {
	if m := slotPath.FindStringSubmatch(path); m != nil {
		sentence = map[string]string{"from": rules.BadFrom.In(l), "to": rules.BadTo.In(l), "": rules.Overlap.In(l)}[m[3]]
		return fmt.Sprintf("hours.%s.%s.%s", m[1], m[2], cmp.Or(m[3], "slot")), sentence
	}
	if list, index, found := kit.CutIndex(path); found {
		sentence = map[string]locale.Text{"holidays": rules.BadDay}[list].In(l)
		if sentence == "" {
			sentence = rules.BadPrefix.In(l)
		}
		return list, locale.FillLine(sentence, strconv.Itoa(index+1))
	}
	sentence = map[string]locale.Text{
		"city": rules.BadCity, "text_form": rules.BadTextForm, "numerals": rules.BadTextForm,
		"time_zone": rules.BadZone, "caller_number": rules.BadNumber, "calling_hours": rules.NoSlot,
		"disclosure":       rules.TooLong,
		"consent_basis":    rules.TooLong,
		"attempts_per_day": rules.BadCount, "attempts_per_week": rules.BadCount,
		"max_concurrent_calls": rules.BadCount,
		"retention_days.audio": rules.BadDays, "retention_days.transcript": rules.BadDays,
	}[path].In(l)
	if sentence == "" {
		sentence = rules.TooMany.In(l)
	}
	return path, sentence
}
