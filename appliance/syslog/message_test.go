package syslog_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"munadi/appliance/syslog"
	"munadi/store"
)

var entryTime = time.Date(2026, 11, 28, 4, 12, 9, 123_456_789, time.FixedZone("", 3*3600))

// TestEntryAsMessage checks the parts of RFC 5424: header, structured data with its escapes, text with its BOM.
func TestEntryAsMessage(t *testing.T) {
	t.Parallel()
	row := store.AuditRow{
		Entry: store.AuditEntry{
			At: entryTime, Actor: "user:أمل", Action: "call.cancel", Subject: `a "b]\` + "\nc", Note: "to +966512345678",
		},
		Chain: "07", Seq: 12, Hash: []byte{0x9f, 0},
	}
	got := string(syslog.FormatEntry(syslog.Source{Host: "calls", Process: "812"}, "clinic", row))
	want := `<109>1 2026-11-28T01:12:09.123456Z calls munadi 812 call.cancel [audit@32473 organization="clinic" ` +
		`actor="user:أمل" action="call.cancel" subject="a \"b\]\\ c" note="to +9665•••••78" chain="07" number="12" hash="9f00"] ` +
		"\ufeff" + `user:أمل call.cancel a "b]\ c to +9665•••••78`
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	bare := store.AuditRow{Entry: store.AuditEntry{At: entryTime, Actor: "x", Action: "\u0000é"}, Chain: store.OlderChain, Seq: 1}
	got = string(syslog.FormatEntry(syslog.Source{Host: "no host"}, "clinic", bare))
	if !strings.HasPrefix(got, "<109>1 2026-11-28T01:12:09.123456Z nohost munadi - - [audit@32473 ") || strings.Contains(got, "hash=") {
		t.Errorf("got %q", got)
	}
}

// FuzzEntryAsMessage checks that no text of an entry leaves its place: one line, valid UTF-8, one element of data.
func FuzzEntryAsMessage(f *testing.F) {
	f.Add("user:amal", "rules.put", `"] x="`, "\r\n<13>1 -")
	f.Fuzz(func(t *testing.T, actor, action, subject, note string) {
		row := store.AuditRow{
			Entry: store.AuditEntry{At: entryTime, Actor: actor, Action: action, Subject: subject, Note: note}, Chain: "07", Seq: 1,
		}
		got := string(syslog.FormatEntry(syslog.Source{Host: actor, Process: note}, "clinic", row))
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\r\n\x00") {
			t.Fatalf("%q", got)
		}
		header, rest, _ := strings.Cut(got, " [")
		if strings.Count(header, " ") != 5 || !strings.HasPrefix(rest, "audit@32473 ") {
			t.Fatalf("%q", got)
		}
		rest = strings.NewReplacer(`\\`, "", `\"`, "", `\]`, "").Replace(rest)
		for inside := false; rest != ""; rest = rest[1:] { // to the end of the element
			if rest[0] == '"' {
				inside = !inside
			}
			if rest[0] == ']' && !inside {
				break
			}
		}
		if !strings.HasPrefix(rest, "] \ufeff") {
			t.Fatalf("the data ends at %q of %q", rest, got)
		}
	})
}
