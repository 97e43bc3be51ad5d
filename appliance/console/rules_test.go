package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"munadi/store/account"
	"munadi/store/callerid"
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
		City: "cairo", TextForm: "written", Numerals: "arab", Redact: true, AllowedPrefixes: []string{"+966", "+971"}, BlockedPrefixes: []string{"+96692"}, SuppressInvalid: true,
		Recording: callrules.RecordAnnounce, Disclosure: "هذه مكالمة آلية\nمن العيادة", ConsentBasis: "form <7> & so on",
		CallerNumber: "+966112345678", CallerNumbers: callerid.NumberRules{"+971": {"+97140000001"}}, MaxConcurrent: 4, KillSwitch: true, RetentionDays: callrules.RetentionDays{Audio: 30, Transcript: 365},
	}
}

// TestRulesRoundTrip checks that the form saves what it shows, and that the kill switch is not part of it.
func TestRulesRoundTrip(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]callrules.CallRules{"all set": someRules(), "none set": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.mustSucceed(storetest.ReplaceRules(t.Context(), b.store, "acme", want, "test", b.now))
			form := b.getPage(account.Owner, "/rules").wantStatus(200).formValues("/console/rules")
			b.postForm(account.Owner, "/rules", form).wantRedirect("/console/rules")
			got, err := b.store.FindRules(t.Context(), "acme")
			b.mustSucceed(err)
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
			b.mustSucceed(err)
			if other.TimeZone != "" || other.Recording != "" {
				t.Errorf("another organization's rules are %+v", other)
			}
		})
	}
}

// TestRulesAreReadAsTyped checks Arabic digits, short times and CR LF.
func TestRulesAreReadAsTyped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.postForm(account.Owner, "/rules", url.Values{
		"time_zone": {" Africa/Cairo "}, "hours": {"week"}, "hours.friday.0.from": {"٩"}, "hours.friday.0.to": {"۱۲.٣٠"},
		"hours.friday.1.from": {"14:00"}, "hours.friday.1.to": {"24:00"}, "holidays": {"2026-12-25\r\n\r\n 2026-12-26 \r\n"},
		"attempts_per_day": {"٣"}, "recording": {"off"}, "allowed_prefixes": {"+٩٦٦"}, "caller_number": {"00966 11 234-5678"},
		"caller_numbers": {"+٩٦٦: +٩٦٦١١٠٠٠٠٠٠١،+966110000002\r\n+: +966920000001"}, "disclosure": {"a\r\nb "},
	}).wantRedirect("/console/rules")
	got, err := b.store.FindRules(t.Context(), "acme")
	b.mustSucceed(err)
	want := callrules.CallRules{
		TimeZone: "Africa/Cairo", CallingHours: callrules.CallingHours{"friday": {{From: "09:00", To: "12:30"}, {From: "14:00", To: "24:00"}}},
		Holidays: []string{"2026-12-25", "2026-12-26"}, AttemptsPerDay: 3, Recording: callrules.RecordOff,
		AllowedPrefixes: []string{"+966"}, CallerNumber: "+966112345678", Disclosure: "a\nb",
		CallerNumbers: callerid.NumberRules{"+966": {"+966110000001", "+966110000002"}, "+": {"+966920000001"}}, UpdatedAt: b.now,
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got %s", diff)
	}
}

// TestRulesViolationsAreShown checks that all faults are shown at once beside the typed values, and that nothing is
// saved.
func TestRulesViolationsAreShown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := b.postForm(account.Owner, "/rules", url.Values{
		"time_zone": {"Mars/Olympus"}, "hours": {"week"}, "hours.sunday.0.from": {"25:00"}, "hours.sunday.0.to": {"26"},
		"hours.monday.0.from": {"10:00"}, "hours.monday.0.to": {"09:00"},
		"hours.tuesday.0.from": {"09:00"}, "hours.tuesday.0.to": {"12:00"},
		"hours.tuesday.1.from": {"11:00"}, "hours.tuesday.1.to": {"13:00"},
		"holidays": {"2026-12-25\nChristmas"}, "attempts_per_day": {"many"}, "retention_days.audio": {"-4"},
		"blocked_prefixes": {"+966\n\n966"}, "recording": {"on"}, "disclosure": {strings.Repeat("ا", 2001)},
	}).wantStatus(422)
	page.wantTexts("Nothing was saved", "not a known time zone", "from 00:00 to 23:59", "an end after the start", "overlaps another",
		"See line 2", "0 (no limit) or more", "0 (for ever) to 36500", "more than 2000 characters",
		`value="Mars/Olympus"`, `value="many"`, `value="25:00"`, "Christmas")
	page.wantTexts("beginning of an international number such as +966. See line 2.") // counted without blank lines
	rules, err := b.store.FindRules(t.Context(), "acme")
	b.mustSucceed(err)
	if rules.TimeZone != "" {
		t.Errorf("saved %+v", rules)
	}
	b.postForm(account.Owner, "/rules", url.Values{"hours": {"week"}}).wantStatus(422).wantTexts("no one would be called")
}

func TestRulesNeedAnOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, role := range []account.UserRole{account.Viewer, account.Operator} {
		b.getPage(role, "/rules").wantStatus(200).wantTexts("Only an owner", "disabled").wantNoTexts("Save the rules")
		b.postForm(role, "/rules", url.Values{"hours": {"always"}}).wantStatus(403)
		b.postForm(role, "/rules/resume", url.Values{}).wantStatus(403)
	}
	b.postForm(account.Owner, "/rules", url.Values{"hours": {"always"}, "csrf": {"csrf-viewer"}}).wantStatus(403)
	b.postForm(account.Viewer, "/rules/stop", url.Values{}).wantStatus(403)
	b.getPage(account.Viewer, "/rules").wantNoTexts("Stop all calling", "After you press it", "data-week", "exact-hours", `placeholder="09:00"`)
}

// TestKillSwitch checks that an operator can stop calling at once, and that an owner must confirm to resume.
func TestKillSwitch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rules := someRules()
	rules.KillSwitch = false
	b.mustSucceed(storetest.ReplaceRules(t.Context(), b.store, "acme", rules, "test", b.now))
	b.now = b.now.Add(time.Minute)
	b.getPage(account.Operator, "/rules").wantTexts("Calling is on")
	b.postForm(account.Operator, "/rules/stop", url.Values{}).wantRedirect("/console/rules")
	b.getPage(account.Operator, "/rules").wantTexts("Calling is stopped").wantNoTexts("Resume calling")
	b.getPage(account.Owner, "/rules/resume").wantStatus(200).wantTexts("Every call that became due")
	b.postForm(account.Owner, "/rules/resume", url.Values{}).wantRedirect("/console/rules")
	got, err := b.store.FindRules(t.Context(), "acme")
	b.mustSucceed(err)
	rules.UpdatedAt = b.now
	if diff := cmp.Diff(rules, got); diff != "" {
		t.Errorf("the switch changed more than itself: %s", diff)
	}
}

// TestProposedRules takes over the proposals one by one: each is offered until it is set, to owners alone.
func TestProposedRules(t *testing.T) {
	t.Parallel()
	b := newCallBench(t)
	b.getPage(account.Operator, "/campaigns/new").wantStatus(200).wantNoTexts("Take over")
	for _, rule := range []string{"hours", "attempts", "retention"} {
		b.getPage(account.Owner, "/campaigns/new").wantStatus(200).wantTexts(`value="` + rule + `"`)
		form := newForm("rule", rule, "next", "/console/campaigns/new")
		b.postForm(account.Owner, "/rules/propose", form).wantRedirect("/console/campaigns/new")
	}
	b.getPage(account.Owner, "/campaigns/new").wantStatus(200).wantNoTexts("Take over")
	r, err := b.store.FindRules(t.Context(), "acme")
	b.mustSucceed(err)
	if len(r.CallingHours) != 5 || r.AttemptsPerDay != 2 || r.RetentionDays.Audio != 90 || r.RetentionDays.Transcript != 90 {
		t.Errorf("the rules are %+v", r)
	}
	b.postForm(account.Owner, "/rules/propose", newForm("rule", "nothing")).wantStatus(http.StatusUnprocessableEntity)
	b.postForm(account.Owner, "/rules/propose", newForm("rule", "hours", "next", "https://example.com/")).wantRedirect("/console")
}
