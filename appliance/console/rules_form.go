package console

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"munadi/store/callrules"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// maxFormSlots bounds how many slots of a day a form may bring.
const maxFormSlots = 32

// rulesForm reads the form of the dialling rules. What it finds wrong, and what package dialling does, are sentences by
// the field's name. The view holds what was typed, to be shown again. The kill switch is no part of it.
func rulesForm(form url.Values, w locale.RulesWords) (callrules.CallRules, page.RulesView) {
	r := callrules.CallRules{
		TimeZone: strings.TrimSpace(form.Get("time_zone")), Holidays: typedLines(form.Get("holidays")),
		AllowedPrefixes: typedLines(form.Get("allowed_prefixes")), BlockedPrefixes: typedLines(form.Get("blocked_prefixes")),
		SuppressInvalid: form.Get("suppress_invalid") == "true", Recording: callrules.RecordingRule(form.Get("recording")),
		Disclosure: typedText(form.Get("disclosure")), ConsentBasis: typedText(form.Get("consent_basis")),
	}
	faults := map[string]string{}
	numbers := map[string]*int{
		"attempts_per_day": &r.AttemptsPerDay, "attempts_per_week": &r.AttemptsPerWeek,
		"max_concurrent_calls": &r.MaxConcurrent, "retention_days.audio": &r.RetentionDays.Audio,
		"retention_days.transcript": &r.RetentionDays.Transcript,
	}
	for field, to := range numbers {
		if typed := westernDigits(form.Get(field)); typed != "" {
			n, err := strconv.Atoi(typed)
			if err != nil {
				n = -1 // which no limit takes
			}
			*to = n
		}
	}
	hours := typedHours(form)
	if form.Get("hours") == "week" {
		r.CallingHours = hours
	}
	for _, v := range callrules.CheckRules(r) {
		if name, sentence := rulesFault(v.Field, w); faults[name] == "" {
			faults[name] = sentence
		}
	}
	view := typedRules(form, r, hours, faults)
	maps.DeleteFunc(r.CallingHours, func(_ callrules.Weekday, slots []callrules.HourSlot) bool { return len(slots) == 0 })
	return r, view
}

// typedRules is the view of what was typed.
func typedRules(form url.Values, r callrules.CallRules, hours callrules.CallingHours, faults map[string]string) page.RulesView {
	p := rulesView(r)
	p.Faults, p.Always = faults, form.Get("hours") != "week"
	p.PerDay, p.PerWeek = form.Get("attempts_per_day"), form.Get("attempts_per_week")
	p.Lines = form.Get("max_concurrent_calls")
	p.KeepAudio, p.KeepText = form.Get("retention_days.audio"), form.Get("retention_days.transcript")
	for i, day := range callrules.AllWeekdays() {
		p.Days[i] = dayView(day, hours[day], p.Always)
	}
	return p
}

// typedHours are the slots of the grid; what is empty at both ends is none. Every weekday is there, so that a week
// without a slot is told from no hours at all.
func typedHours(form url.Values) callrules.CallingHours {
	hours := callrules.CallingHours{}
	for _, day := range callrules.AllWeekdays() {
		hours[day] = nil
		for i := range maxFormSlots {
			name := fmt.Sprintf("hours.%s.%d.", day, i)
			slot := callrules.HourSlot{From: typedClock(form.Get(name + "from")), To: typedClock(form.Get(name + "to"))}
			if slot != (callrules.HourSlot{}) {
				hours[day] = append(hours[day], slot)
			}
		}
	}
	return hours
}

// typedClock takes a time as people type it: 9, 9:00, 09.00.
func typedClock(typed string) string {
	typed = strings.ReplaceAll(westernDigits(typed), ".", ":")
	hour, minute, found := strings.Cut(typed, ":")
	if typed == "" || len(hour) > 2 {
		return typed
	}
	if !found {
		minute = "00"
	}
	return fmt.Sprintf("%02s:%s", hour, minute)
}

// typedLines are the entries of a field with one a line; blank ones go, and an empty field is no list.
func typedLines(typed string) []string {
	var out []string
	for line := range strings.Lines(westernDigits(typed)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// typedText is a text with line feeds as Unix writes them; browsers send CR LF.
func typedText(typed string) string {
	return strings.TrimSpace(strings.ReplaceAll(typed, "\r\n", "\n"))
}

// slotPath is a slot, or an end of it, in the paths of package dialling.
var slotPath = regexp.MustCompile(`^calling_hours\.(\w+)\.(\d+)(?:\.(from|to))?$`)

// rulesFault is the form's field of a violation, and its sentence.
func rulesFault(path string, w locale.RulesWords) (field, sentence string) {
	if m := slotPath.FindStringSubmatch(path); m != nil {
		sentence = map[string]string{"from": w.BadFrom, "to": w.BadTo, "": w.Overlap}[m[3]]
		return fmt.Sprintf("hours.%s.%s.%s", m[1], m[2], cmp.Or(m[3], "slot")), sentence
	}
	if list, index, found := cutIndex(path); found {
		sentence = map[string]string{"holidays": w.BadDay}[list]
		if sentence == "" {
			sentence = w.BadPrefix
		}
		return list, locale.FillLine(sentence, strconv.Itoa(index+1))
	}
	sentence = map[string]string{
		"time_zone": w.BadZone, "calling_hours": w.NoSlot, "disclosure": w.TooLong, "consent_basis": w.TooLong,
		"attempts_per_day": w.BadCount, "attempts_per_week": w.BadCount, "max_concurrent_calls": w.BadCount,
		"retention_days.audio": w.BadDays, "retention_days.transcript": w.BadDays,
	}[path]
	if sentence == "" {
		sentence = w.TooMany
	}
	return path, sentence
}

// cutIndex parts "holidays.3".
func cutIndex(path string) (list string, index int, found bool) {
	list, last, found := strings.Cut(path, ".")
	index, err := strconv.Atoi(last)
	return list, index, found && err == nil
}
