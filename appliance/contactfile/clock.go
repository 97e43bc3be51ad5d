package contactfile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"munadi/engine/arabic"
)

// Hours of the day.
const (
	firstMorning = 6 // earlier times are at night
	firstDaytime = 7 // earlier hours without a part of the day are in the afternoon, as the dialogue takes them
	noon         = 12
)

var (
	// clockTime matches a time, after a date where the cell has one, too.
	clockTime = regexp.MustCompile(`^(?:\d[\d/.\-]*[ T])?(\d{1,2})[:.](\d{2})(?::\d{2})?(\D*)$`)
	bareHour  = regexp.MustCompile(`^\d{1,2}$`)
	excelTime = regexp.MustCompile(`^0?\.\d+$`) // Excel's time: a fraction of a day
)

// readTime reads a time of day as the dialogue does: 9:30, 09:30:00, 4:30 م, 4 PM, «الرابعة عصرا»; 0.6875 (Excel).
func readTime(text string, r ReadingRules) ValueReading {
	typed := strings.NewReplacer("p.m.", "pm", "a.m.", "am", "P.M.", "pm", "A.M.", "am").Replace(typedText(text))
	if excelTime.MatchString(typed) {
		share, _ := strconv.ParseFloat(typed, 64)
		minutes := int(share*24*60+0.5) % (24 * 60)
		return judgeTime(minutes/60, minutes%60)
	}
	if parts := clockTime.FindStringSubmatch(typed); parts != nil {
		hour, _ := strconv.Atoi(parts[1])
		if minute, _ := strconv.Atoi(parts[2]); hour > 23 || minute > 59 {
			return ValueReading{Value: text, Doubt: Unreadable}
		}
		typed = parts[1] + ":" + parts[2] + parts[3]
	}
	if bareHour.MatchString(typed) {
		hour, _ := strconv.Atoi(typed)
		if hour > 23 {
			return ValueReading{Value: text, Doubt: Unreadable}
		}
		typed += ":00"
	}
	c, ok := arabic.TimeOfDay(typed)
	switch {
	case !ok && namesDayPart(typed):
		return ValueReading{Value: text, Doubt: HourMissing}
	case !ok || !isWholeTime(typed):
		return ValueReading{Value: text, Doubt: Unreadable}
	case !c.Ambiguous:
		return judgeTime(c.Hour, c.Minute)
	case c.Hour >= firstDaytime:
		return judgeTime(c.Hour, c.Minute)
	}
	switch r.Clock {
	case FullClock:
		return judgeTime(c.Hour, c.Minute)
	case DaytimeClock:
		return judgeTime(c.Hour+noon, c.Minute)
	}
	return ValueReading{Value: text, Doubt: ClockUnknown}
}

// namesDayPart reports whether a text names a part of the day, which makes an hour before it definite.
func namesDayPart(typed string) bool {
	c, ok := arabic.TimeOfDay("الساعة أربعة " + typed)
	return ok && !c.Ambiguous
}

// isWholeTime reports whether a text is one time alone: nothing but a part of the day is after a written one.
func isWholeTime(typed string) bool {
	parts := clockTime.FindStringSubmatch(typed)
	if parts == nil {
		return !strings.Contains(typed, ":")
	}
	return strings.TrimSpace(parts[3]) == "" || namesDayPart(parts[3])
}

// judgeTime returns a time with its doubt: at night.
func judgeTime(hour, minute int) ValueReading {
	found := ValueReading{Value: fmt.Sprintf("%02d:%02d", hour, minute)}
	if hour < firstMorning {
		found.Doubt = NightTime
	}
	return found
}

// FindClock returns [FullClock] if a time of a column can only be meant so, without a part of the day: 16:30, 09:30.
func FindClock(values []string) ClockStyle {
	for _, value := range values {
		typed := typedText(value)
		if bareHour.MatchString(typed) {
			typed += ":00"
		}
		parts := clockTime.FindStringSubmatch(typed)
		if parts == nil || strings.TrimSpace(parts[3]) != "" {
			continue
		}
		if hour, _ := strconv.Atoi(parts[1]); hour > noon && hour < 24 || parts[1][0] == '0' {
			return FullClock
		}
	}
	return ""
}
