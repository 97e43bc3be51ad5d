package console_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/store/storetest"
)

func someRules() callrules.CallRules {
	return callrules.CallRules{
		TimeZone: "Asia/Riyadh", Holidays: []string{"2026-12-25", "2027-01-01"}, AttemptsPerDay: 2, AttemptsPerWeek: 5,
		CallingHours: callrules.CallingHours{
			"sunday":  {{From: "09:00", To: "12:00"}, {From: "13:30", To: "18:00"}, {From: "19:00", To: "20:00"}},
			"monday":  {{From: "08:00", To: "24:00"}},
			"tuesday": {{From: "00:00", To: "01:00"}},
		},
		AllowedPrefixes: []string{"+966", "+971"}, BlockedPrefixes: []string{"+96692"}, SuppressInvalid: true,
		Recording: callrules.RecordAnnounce, Disclosure: "هذه مكالمة آلية\nمن العيادة", ConsentBasis: "form <7> & so on",
		CallerNumber: "+966112345678", MaxConcurrent: 4, KillSwitch: true, RetentionDays: callrules.RetentionDays{Audio: 30, Transcript: 365},
	}
}

// TestRulesRoundTrip: what the form shows is what it saves, and the kill switch is no part of it.
func TestRulesRoundTrip(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]callrules.CallRules{"all set": someRules(), "none set": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.must(storetest.ReplaceRules(t.Context(), b.store, "acme", want, "test", b.now))
			form := b.get(account.Owner, "/rules").want(200).form("/console/rules")
			b.post(account.Owner, "/rules", form).leads("/console/rules")
			got, err := b.store.FindRules(t.Context(), "acme")
			b.must(err)
			if want.Recording == "" {
				want.Recording = callrules.RecordOn
			}
			diff := cmp.Diff(want, got, cmpopts.IgnoreFields(callrules.CallRules{}, "UpdatedAt"), cmpopts.EquateEmpty())
			if diff != "" {
				t.Errorf("-before +after %s", diff)
			}
			if !got.UpdatedAt.Equal(b.now) {
				t.Errorf("updated at %v", got.UpdatedAt)
			}
			other, err := b.store.FindRules(t.Context(), "other")
			b.must(err)
			if other.TimeZone != "" || other.Recording != "" {
				t.Errorf("another organization's rules are %+v", other)
			}
		})
	}
}

// TestRulesAreReadAsTyped: Arabic digits, short times, browsers' line ends.
func TestRulesAreReadAsTyped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.post(account.Owner, "/rules", url.Values{
		"time_zone": {" Africa/Cairo "}, "hours": {"week"}, "hours.friday.0.from": {"٩"}, "hours.friday.0.to": {"۱۲.٣٠"},
		"hours.friday.1.from": {"14:00"}, "hours.friday.1.to": {"24:00"}, "holidays": {"2026-12-25\r\n\r\n 2026-12-26 \r\n"},
		"attempts_per_day": {"٣"}, "recording": {"off"}, "allowed_prefixes": {"+٩٦٦"}, "caller_number": {"00966 11 234-5678"}, "disclosure": {"a\r\nb "},
	}).leads("/console/rules")
	got, err := b.store.FindRules(t.Context(), "acme")
	b.must(err)
	want := callrules.CallRules{
		TimeZone: "Africa/Cairo", CallingHours: callrules.CallingHours{"friday": {{From: "09:00", To: "12:30"}, {From: "14:00", To: "24:00"}}},
		Holidays: []string{"2026-12-25", "2026-12-26"}, AttemptsPerDay: 3, Recording: callrules.RecordOff,
		AllowedPrefixes: []string{"+966"}, CallerNumber: "+966112345678", Disclosure: "a\nb", UpdatedAt: b.now,
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got %s", diff)
	}
}

// TestRulesViolationsAreShown: each beside what was typed, all at once, and nothing is saved.
func TestRulesViolationsAreShown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := b.post(account.Owner, "/rules", url.Values{
		"time_zone": {"Mars/Olympus"}, "hours": {"week"}, "hours.sunday.0.from": {"25:00"}, "hours.sunday.0.to": {"26"},
		"hours.monday.0.from": {"10:00"}, "hours.monday.0.to": {"09:00"},
		"hours.tuesday.0.from": {"09:00"}, "hours.tuesday.0.to": {"12:00"},
		"hours.tuesday.1.from": {"11:00"}, "hours.tuesday.1.to": {"13:00"},
		"holidays": {"2026-12-25\nChristmas"}, "attempts_per_day": {"many"}, "retention_days.audio": {"-4"},
		"blocked_prefixes": {"+966\n\n966"}, "recording": {"on"}, "disclosure": {strings.Repeat("ا", 2001)},
	}).want(422)
	page.says("Nothing was saved", "no known time zone", "from 00:00 to 23:59", "a time after the start", "overlaps another",
		"See line 2", "0 (no limit) or more", "0 (for ever) to 36500", "more than 2000 characters",
		`value="Mars/Olympus"`, `value="many"`, `value="25:00"`, "Christmas")
	page.says("beginning of an international number such as +966. See line 2.") // of the lines that hold something
	rules, err := b.store.FindRules(t.Context(), "acme")
	b.must(err)
	if rules.TimeZone != "" {
		t.Errorf("saved %+v", rules)
	}
	b.post(account.Owner, "/rules", url.Values{"hours": {"week"}}).want(422).says("no one would be called")
}

func TestRulesNeedAnOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, role := range []account.UserRole{account.Viewer, account.Operator} {
		b.get(role, "/rules").want(200).says("Only an owner", "disabled").not("Save the rules")
		b.post(role, "/rules", url.Values{"hours": {"always"}}).want(403)
		b.post(role, "/rules/resume", url.Values{}).want(403)
	}
	b.post(account.Owner, "/rules", url.Values{"hours": {"always"}, "csrf": {"csrf-viewer"}}).want(403)
	b.post(account.Viewer, "/rules/stop", url.Values{}).want(403)
	b.get(account.Viewer, "/rules").not("Stop all calling")
}

// TestKillSwitch: an operator stops everything with one press; an owner is asked and lets it go on.
func TestKillSwitch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rules := someRules()
	rules.KillSwitch = false
	b.must(storetest.ReplaceRules(t.Context(), b.store, "acme", rules, "test", b.now))
	b.now = b.now.Add(time.Minute)
	b.get(account.Operator, "/rules").says("Calling is on")
	b.post(account.Operator, "/rules/stop", url.Values{}).leads("/console/rules")
	b.get(account.Operator, "/rules").says("Calling is stopped").not("Resume calling")
	b.get(account.Owner, "/rules/resume").want(200).says("Every call that became due")
	b.post(account.Owner, "/rules/resume", url.Values{}).leads("/console/rules")
	got, err := b.store.FindRules(t.Context(), "acme")
	b.must(err)
	rules.UpdatedAt = b.now
	if diff := cmp.Diff(rules, got); diff != "" {
		t.Errorf("the switch changed more than itself: %s", diff)
	}
}
