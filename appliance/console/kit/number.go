package kit

import (
	"bytes"
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"munadi/appliance/contactfile"
	"munadi/engine/arabic"
	"munadi/store/callerid"
	"munadi/store/phonenumber"
	"munadi/ui/locale"
)

// PhoneNumber normalizes an international number as people type and copy it: with spaces, dashes and brackets, in
// Arabic digits, with 00 instead of the plus sign, with direction marks. False if the result is not a complete number;
// it may then be part of one.
func PhoneNumber(typed string) (string, bool) {
	number := strings.Map(func(r rune) rune {
		if strings.ContainsRune("+0123456789", r) {
			return r
		}
		if strings.ContainsRune(" -().\u00a0\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069", r) {
			return -1
		}
		return 'x'
	}, WesternDigits(typed))
	if strings.Contains(number, "x") {
		return strings.TrimSpace(typed), false
	}
	if rest, found := strings.CutPrefix(number, "00"); found {
		number = "+" + rest
	}
	return number, phonenumber.IsE164(number)
}

// formatPositive formats a positive number; 0 is empty.
func formatPositive(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// WesternDigits converts Arabic-Indic and Persian digits to Western ones, since forms accept the digits of any
// keyboard, and trims spaces.
func WesternDigits(s string) string { return strings.TrimSpace(strings.Map(arabic.WesternDigit, s)) }

// NumberRegion returns the country of the organization's numbers without a country code.
func (s *Console) NumberRegion(c echo.Context) string {
	memory, err := s.Store.FindImportMemory(c.Request().Context(), RequestVisitor(c).Org.ID)
	rules, err2 := s.RequestRules(c)
	if cmp.Or(err, err2) != nil {
		return contactfile.DefaultRegion // what is typed is shown again, or stored as it is read
	}
	return contactfile.ChooseRegion(memory.Region, rules)
}

// LocalNumber is [kit.PhoneNumber] that also accepts numbers as they are written in a country: 05…, ٠٥…, 9665….
func LocalNumber(typed, region string) (string, bool) {
	number, ok := PhoneNumber(typed)
	if ok {
		return number, true
	}
	if local, is := contactfile.NormalizeNumber(number, region); is {
		return local, true
	}
	return number, false
}

// LocalCallers replaces the numbers of caller rules by what [LocalNumber] reads.
func LocalCallers(rules callerid.NumberRules, region string) {
	for _, numbers := range rules {
		for i := range numbers {
			numbers[i], _ = LocalNumber(numbers[i], region)
		}
	}
}

// unconvertedElements are the elements whose text is read by machines or submitted to the server.
var unconvertedElements = map[string]bool{
	"code": true, "option": true, "pre": true, "samp": true, "script": true, "style": true, "textarea": true,
	"template": true, "title": true,
}

// arabicDigits converts the numbers in a page's text to Arabic-Indic digits, except what a machine reads or a person
// would copy (code, ids, addresses, telephone numbers).
func arabicDigits(page []byte) []byte {
	var out bytes.Buffer
	kept := 0 // depth of enclosing elements that are not converted
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken: // the end: reading from memory has no other error
			return out.Bytes()
		case html.TextToken:
			if kept == 0 && isQuantityText(string(raw)) {
				raw = []byte(locale.ArabicDigits(string(raw)))
			}
		case html.StartTagToken, html.EndTagToken:
			raw = bytes.Clone(raw) // reading the name lower-cases it in place
			if name, _ := z.TagName(); unconvertedElements[string(name)] {
				kept += map[bool]int{true: 1, false: -1}[kind == html.StartTagToken]
			}
		}
		out.Write(raw)
	}
}

// longNumber matches ids and telephone numbers.
var longNumber = regexp.MustCompile(`[0-9]{7}`)

// isQuantityText reports whether the numbers in a text are quantities: it has no Latin letter or HTML entity, and is no
// telephone number, id or IP address.
func isQuantityText(s string) bool {
	return !longNumber.MatchString(s) &&
		!strings.ContainsAny(s, "+&abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.Count(s, ".") < 2
}
