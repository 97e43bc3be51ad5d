package contactfile

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ValueKind is the type of a column's values.
type ValueKind string

// The kinds, named like the types of a scenario's variables.
const (
	TextValue   ValueKind = "text"
	DateValue   ValueKind = "date"
	TimeValue   ValueKind = "time"
	NumberValue ValueKind = "number"
	PhoneValue  ValueKind = "phone"
	ChoiceValue ValueKind = "choice"
)

// NormalizeValue converts a cell to the form of a booking: dates as 2006-01-02, times as 15:04, numbers with Western
// digits, telephone numbers in E.164, choices as in the scenario. Text that cannot be converted is returned unchanged,
// so that the validation of the booking reports it.
func NormalizeValue(text string, kind ValueKind, region string, choices []string) string {
	switch kind {
	case DateValue:
		return normalizeDate(text)
	case TimeValue:
		return normalizeTime(text)
	case NumberValue:
		return normalizeDecimal(text)
	case PhoneValue:
		number, _ := NormalizeNumber(text, region)
		return number
	case ChoiceValue:
		for _, choice := range choices {
			if foldName(choice) == foldName(text) {
				return choice
			}
		}
	}
	return text
}

var (
	yearFirst  = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T].*)?$`)
	yearLast   = regexp.MustCompile(`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[ T].*)?$`)
	excelDate  = regexp.MustCompile(`^[2-7]\d{4}(?:\.\d+)?$`) // days since 1899-12-30: 1954 to 2118
	clockTime  = regexp.MustCompile(`^(?:.*[ T])?(\d{1,2})[:.](\d{2})(?::\d{2})?\s*(.*)$`)
	bareHour   = regexp.MustCompile(`^(\d{1,2})\s*(\D+)$`)
	excelTime  = regexp.MustCompile(`^0?\.\d+$`) // Excel's time: a fraction of a day
	thousands  = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$`)
	excelEpoch = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
)

// normalizeDate parses a day: 2026-11-23, 23/11/2026 (day first, unless only the month can be first), 46349 (Excel).
func normalizeDate(text string) string {
	typed := strings.ReplaceAll(westernDigits(text), "،", "")
	if parts := yearFirst.FindStringSubmatch(typed); parts != nil {
		return writeDate(text, parts[1], parts[2], parts[3])
	}
	if parts := yearLast.FindStringSubmatch(typed); parts != nil {
		if month, _ := strconv.Atoi(parts[2]); month > 12 {
			return writeDate(text, parts[3], parts[1], parts[2])
		}
		return writeDate(text, parts[3], parts[2], parts[1])
	}
	if excelDate.MatchString(typed) {
		days, _ := strconv.ParseFloat(typed, 64)
		return excelEpoch.AddDate(0, 0, int(days)).Format(time.DateOnly)
	}
	return text
}

// writeDate formats a day; text if there is no such day.
func writeDate(text, year, month, day string) string {
	at, err := time.Parse("2006-1-2", year+"-"+month+"-"+day)
	if err != nil {
		return text
	}
	return at.Format(time.DateOnly)
}

// normalizeTime parses a time of day: 9:30, 09:30:00, 4:30 م, 4 PM, 0.4375 (Excel).
func normalizeTime(text string) string {
	typed := westernDigits(text)
	if excelTime.MatchString(typed) {
		share, _ := strconv.ParseFloat(typed, 64)
		minutes := int(share*24*60 + 0.5)
		return writeTime(text, minutes/60, minutes%60)
	}
	hour, minute, half := 0, 0, ""
	if parts := clockTime.FindStringSubmatch(typed); parts != nil {
		hour, _ = strconv.Atoi(parts[1])
		minute, _ = strconv.Atoi(parts[2])
		half = parts[3]
	} else if parts := bareHour.FindStringSubmatch(typed); parts != nil {
		hour, _ = strconv.Atoi(parts[1])
		half = parts[2]
	} else {
		return text
	}
	switch strings.ToLower(strings.NewReplacer(".", "", " ", "").Replace(half)) {
	case "":
	case "am", "ص", "صباحا", "صباحًا", "صباحاً":
		hour %= 12
	case "pm", "م", "مساء", "مساءً", "عصرا", "عصرًا", "ظهرا", "ظهرًا":
		hour = hour%12 + 12
	default:
		return text
	}
	return writeTime(text, hour, minute)
}

// writeTime formats a time of day; text if there is no such time.
func writeTime(text string, hour, minute int) string {
	if hour > 23 || minute > 59 {
		return text
	}
	return time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC).Format("15:04")
}

// normalizeDecimal parses a number: 1,250.5 and ١٢٥٠٫٥.
func normalizeDecimal(text string) string {
	typed := strings.ReplaceAll(westernDigits(text), "٬", ",")
	if thousands.MatchString(typed) {
		typed = strings.ReplaceAll(typed, ",", "")
	}
	if _, err := strconv.ParseFloat(typed, 64); err != nil {
		return text
	}
	return typed
}
