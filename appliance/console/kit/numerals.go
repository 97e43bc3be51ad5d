package kit

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"munadi/ui/locale"
)

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
