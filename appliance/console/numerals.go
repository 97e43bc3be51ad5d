package console

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"munadi/ui/locale"
)

// asWritten are the elements whose text is for machines, or goes back to the server.
var asWritten = map[string]bool{
	"code": true, "option": true, "pre": true, "samp": true, "script": true, "style": true, "textarea": true,
	"template": true, "title": true,
}

// arabicDigits writes the numbers of a page in Arabic-Indic digits: those of its text, and of that not what a machine
// reads or a person would copy (code, ids, addresses, telephone numbers).
func arabicDigits(page []byte) []byte {
	var out bytes.Buffer
	kept := 0 // elements around that are left as written
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken: // the end: there is no other error in memory
			return out.Bytes()
		case html.TextToken:
			if kept == 0 && onlyCounts(string(raw)) {
				raw = []byte(locale.ArabicDigits(string(raw)))
			}
		case html.StartTagToken, html.EndTagToken:
			raw = bytes.Clone(raw) // reading the name changes its case in place
			if name, _ := z.TagName(); asWritten[string(name)] {
				kept += map[bool]int{true: 1, false: -1}[kind == html.StartTagToken]
			}
		}
		out.Write(raw)
	}
}

// longNumber is what nobody counts to: a telephone number without its sign, an id.
var longNumber = regexp.MustCompile(`[0-9]{7}`)

// onlyCounts says that a text is about numbers for people: it has no Latin letter, no escape, and is no telephone
// number, id or IP address.
func onlyCounts(s string) bool {
	return !longNumber.MatchString(s) &&
		!strings.ContainsAny(s, "+&abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.Count(s, ".") < 2
}
