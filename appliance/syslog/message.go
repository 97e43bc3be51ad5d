package syslog

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"munadi/store"
	"munadi/store/call"
)

// priority is facility 13 (log audit) with severity 5 (notice), RFC 5424 section 6.2.1.
const priority = 13*8 + 5

// dataID names the structured data: 32473 is the private enterprise number of nobody, for documentation (RFC 5612).
const dataID = "audit@32473"

// Source is what sends: its host and process, "-" where unknown.
type Source struct{ Host, Process string }

// FormatEntry returns an entry of an organization's audit log as a message of RFC 5424. Telephone numbers are masked,
// as in the log.
func FormatEntry(source Source, orgID string, row store.AuditRow) []byte {
	e := row.Entry
	data := []struct{ name, value string }{
		{"organization", orgID},
		{"actor", maskNumbers(e.Actor)},
		{"action", e.Action},
		{"subject", maskNumbers(e.Subject)},
		{"note", maskNumbers(e.Note)},
		{"chain", row.Chain},
		{"number", fmt.Sprint(row.Seq)},
		{"hash", hex.EncodeToString(row.Hash)},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<%d>1 %s %s munadi %s %s [%s", priority, e.At.UTC().Format("2006-01-02T15:04:05.000000Z07:00"),
		headerText(source.Host, 255), headerText(source.Process, 128), headerText(e.Action, 32), dataID)
	for _, d := range data {
		if d.value != "" {
			fmt.Fprintf(&b, ` %s="%s"`, d.name, escapeValue(d.value))
		}
	}
	text := strings.TrimSpace(strings.Join([]string{e.Actor, e.Action, e.Subject, e.Note}, " "))
	b.WriteString("] \ufeff" + plainText(maskNumbers(text))) // with the BOM the text is UTF-8
	return []byte(b.String())
}

// headerText returns a text as a field of the header: printable ASCII, of bounded length.
func headerText(text string, most int) string {
	clean := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	if clean == "" {
		return "-"
	}
	return clean[:min(len(clean), most)]
}

// escapeValue escapes the value of a parameter, RFC 5424 section 6.3.3.
func escapeValue(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, `]`, `\]`).Replace(plainText(value))
}

// plainText returns a text as valid UTF-8 in one line: receivers treat control characters in ways of their own.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// telephoneNumbers matches international numbers. Most are masked when the entry is written.
var telephoneNumbers = regexp.MustCompile(`\+[0-9]{7,15}`)

func maskNumbers(text string) string {
	return telephoneNumbers.ReplaceAllStringFunc(text, call.MaskNumber)
}
