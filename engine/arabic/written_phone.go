package arabic

import (
	"regexp"
	"strconv"
	"strings"
)

// dialPlan is how a country's mobile numbers are dialled within it: after the leading zero a pattern of the rest.
type dialPlan struct {
	code  string
	local *regexp.Regexp
}

// dialPlans are the countries whose mobile numbers begin with a zero, and so differ from other numbers of their length.
// Source: the countries' national numbering plans as notified to ITU-T (E.164).
var dialPlans = map[string]dialPlan{
	"SA": {"966", regexp.MustCompile(`^0(5\d{8})$`)},
	"AE": {"971", regexp.MustCompile(`^0(5\d{8})$`)},
	"EG": {"20", regexp.MustCompile(`^0(1[0125]\d{8})$`)},
	"JO": {"962", regexp.MustCompile(`^0(7[789]\d{7})$`)},
	"IQ": {"964", regexp.MustCompile(`^0(7\d{9})$`)},
	"SY": {"963", regexp.MustCompile(`^0(9\d{8})$`)},
	"PS": {"970", regexp.MustCompile(`^0(5[69]\d{7})$`)},
	"LY": {"218", regexp.MustCompile(`^0(9\d{8})$`)},
	"SD": {"249", regexp.MustCompile(`^0([19]\d{8})$`)},
	"MA": {"212", regexp.MustCompile(`^0([67]\d{8})$`)},
	"DZ": {"213", regexp.MustCompile(`^0([567]\d{8})$`)},
}

// gulfMobile is a mobile number of Saudi Arabia or the Emirates with its country code, which needs no sign before it.
var gulfMobile = regexp.MustCompile(`^(?:966|971)5\d{8}$`)

// internationalNumber is the number after + or 00.
var internationalNumber = regexp.MustCompile(`^[1-9]\d{7,14}$`)

// writtenDigits is a group of digits, as recognizers that write digits give them.
var writtenDigits = regexp.MustCompile(`^\+?\d+(?:-\d+)*$`)

// phoneAt writes a telephone number: digits one by one, in pairs and hundreds, or written in groups, with commas
// between them.
func (w *spanWriter) phoneAt(i int) (writtenSpan, bool) {
	digits, next, plus := "", i, false
	if plusWords[w.s.fullWordAt(i)] {
		plus, next = true, i+1
	}
	for next < len(w.s) && len(digits) <= 20 {
		if next > i && (w.s[next].prefix != "" || strings.Trim(w.s[next-1].tail, ",،") != "") {
			break
		}
		part, end, signed := w.digitGroup(next)
		if end == next || signed && next > i {
			break
		}
		digits, next, plus = digits+part, end, plus || signed
	}
	number := w.form.internationalForm(digits, plus)
	if number == "" {
		return writtenSpan{}, false
	}
	return writtenSpan{kind: phoneSpan, texts: []string{number}, first: i, last: next - 1}, true
}

// digitGroup reads a written group of digits, a number below 1,000, or repeated digits; signed: it begins with +.
func (w *spanWriter) digitGroup(i int) (digits string, next int, signed bool) {
	raw := WesternDigits(strings.TrimRight(w.raw[i], tailMarks))
	if writtenDigits.MatchString(raw) {
		return onlyDigits(raw), i + 1, raw[0] == '+'
	}
	if digits, next = w.singleDigits(i); next > i {
		return digits, next, false
	}
	value, end, ok := w.s.readWholeNumber(i)
	if !ok || value >= 1000 {
		return "", i, false
	}
	return strconv.Itoa(value), end, false
}

// internationalForm returns a number in E.164 form; empty if the digits are no complete number.
func (f WrittenForm) internationalForm(digits string, plus bool) string {
	if rest, zeros := strings.CutPrefix(digits, "00"); zeros && !plus {
		digits, plus = rest, true
	}
	switch {
	case plus && internationalNumber.MatchString(digits), gulfMobile.MatchString(digits):
		return "+" + digits
	case plus:
		return ""
	}
	plan := dialPlans[f.Country]
	if plan.local == nil {
		return ""
	}
	if m := plan.local.FindStringSubmatch(digits); m != nil {
		return "+" + plan.code + m[1]
	}
	return ""
}

var plusWords = wordSet("زائد زايد بلس plus")
