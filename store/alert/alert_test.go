package alert_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/store/alert"
)

var now = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

func TestRaisedAndClearedOnce(t *testing.T) {
	t.Parallel()
	var b alert.AlertBoard
	first, fresh := b.RaiseAlert(alert.Alert{Kind: alert.TrunkDown, Subject: "one", Appliance: "a"}, now)
	if !fresh || !strings.HasPrefix(first.ID, alert.Prefix) || !first.Installation {
		t.Fatalf("raised %+v, %v", first, fresh)
	}
	if _, again := b.RaiseAlert(alert.Alert{Kind: alert.TrunkDown, Subject: "one", Appliance: "a"}, now); again {
		t.Error("an open alert is raised again")
	}
	for _, other := range []alert.Alert{
		{Kind: alert.TrunkDown, Subject: "two", Appliance: "a"},
		{Kind: alert.TrunkDown, Subject: "one", Appliance: "b"},
		{Kind: alert.CallingStopped},
	} {
		if _, fresh := b.RaiseAlert(other, now); !fresh {
			t.Errorf("%+v counts as the same", other)
		}
	}
	if _, cleared := b.ClearAlert(first.ID, now.Add(time.Hour)); !cleared {
		t.Error("an open alert is not cleared")
	}
	if _, again := b.ClearAlert(first.ID, now); again || len(b.Open) != 3 || len(b.Past) != 1 {
		t.Errorf("cleared again: %v, %d open, %d past", again, len(b.Open), len(b.Past))
	}
	if seen := b.VisibleTo(false); len(seen.Open) != 1 || len(seen.Past) != 0 || seen.Open[0].Kind != alert.CallingStopped {
		t.Errorf("an organization sees %+v", seen)
	}
}

func TestBoardIsBounded(t *testing.T) {
	t.Parallel()
	var b alert.AlertBoard
	for i := range 200 {
		a, fresh := b.RaiseAlert(alert.Alert{Kind: alert.TrunkDown, Subject: fmt.Sprint(i)}, now)
		b.QueueMail(a, alert.Raised, []string{"a@example.com"}, now.Add(time.Duration(i)*time.Hour))
		if fresh && i%2 == 0 {
			b.ClearAlert(a.ID, now)
		}
	}
	if len(b.Open) != alert.MaxOpen || len(b.Past) != alert.MaxPast || len(b.Mails) > alert.MaxMails {
		t.Errorf("%d open, %d past, %d mails", len(b.Open), len(b.Past), len(b.Mails))
	}
}

func TestAcknowledgedOnce(t *testing.T) {
	t.Parallel()
	var b alert.AlertBoard
	a, _ := b.RaiseAlert(alert.Alert{Kind: alert.CallingStopped}, now)
	b.AcknowledgeAlert(a.ID, "user:amal", now)
	b.ClearAlert(a.ID, now)
	b.AcknowledgeAlert(a.ID, "user:other", now)
	if found, ok := b.FindAlert(a.ID); !ok || found.AcknowledgedBy != "user:amal" {
		t.Errorf("acknowledged by %q", found.AcknowledgedBy)
	}
	if _, found := b.AcknowledgeAlert("alert_x", "user:amal", now); found {
		t.Error("an unknown alert is acknowledged")
	}
}

func TestMailRetries(t *testing.T) {
	t.Parallel()
	var b alert.AlertBoard
	a, _ := b.RaiseAlert(alert.Alert{Kind: alert.CallingStopped}, now)
	b.QueueMail(a, alert.Raised, []string{"a@example.com"}, now)
	at, tries := now, 0
	for ; ; tries++ {
		m, claimed := b.ClaimMail(at)
		if !claimed {
			break
		}
		if _, twice := b.ClaimMail(at.Add(alert.MailLease - time.Second)); twice {
			t.Error("an e-mail under way is claimed by another")
		}
		b.RecordMail(m.ID, "the server does not answer", false, at)
		at = b.NextMail()
	}
	if m := b.Mails[0]; tries != alert.MaxMailTries || m.State != alert.MailFailed || m.Error == "" {
		t.Errorf("after %d tries: %+v", tries, m)
	}
	b.QueueMail(a, alert.Cleared, []string{"a@example.com", "b@example.com"}, now)
	one, _ := b.ClaimMail(now)
	b.RecordMail(one.ID, "", false, now)
	two, _ := b.ClaimMail(now)
	b.RecordMail(two.ID, "no such mailbox", true, now)
	if b.Mails[1].State != alert.MailSent || b.Mails[2].State != alert.MailFailed || !b.NextMail().IsZero() {
		t.Errorf("%+v", b.Mails)
	}
}

func TestMailCrash(t *testing.T) {
	t.Parallel()
	b, at, tries := alert.AlertBoard{}, now, 0
	b.QueueMail(alert.Alert{ID: "alert_x"}, alert.Raised, []string{"a@example.com"}, now)
	for ; tries < 100; tries++ {
		if _, claimed := b.ClaimMail(at); !claimed {
			break
		}
		at = at.Add(alert.MailLease) // the appliance died
	}
	if tries != alert.MaxMailTries || b.Mails[0].State != alert.MailFailed {
		t.Errorf("%d tries, %+v", tries, b.Mails[0])
	}
}

func TestMailsAnHour(t *testing.T) {
	t.Parallel()
	var b alert.AlertBoard
	left := 0
	for range 30 {
		left += b.QueueMail(alert.Alert{ID: "alert_x"}, alert.Raised, []string{"a@example.com", "b@example.com"}, now)
	}
	if len(b.Mails) != alert.MaxMailsAnHour || left != 60-alert.MaxMailsAnHour {
		t.Errorf("%d queued, %d left out", len(b.Mails), left)
	}
	if b.QueueMail(alert.Alert{ID: "alert_x"}, alert.Raised, []string{"a@example.com"}, now.Add(2*time.Hour)) != 0 {
		t.Error("an hour later none may be sent")
	}
}

func TestCheckRecipients(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"amal@example.com": true, "a+b@sub.example.com": true, "أمل@مثال.السعودية": true,
		"": false, "amal": false, "Amal <amal@example.com>": false, "a@b.com\r\nBcc: c@d.com": false,
		"a@b.com, c@d.com": false, "a b@c.com": false, "a@b.com\n": false, "<a@b.com>": false, "a@": false,
		strings.Repeat("x", 250) + "@e.com": false, `"a b"@c.com`: false,
	} {
		if err := alert.CheckAddress(text); (err == nil) != ok {
			t.Errorf("CheckAddress(%q): %v", text, err)
		}
	}
	if alert.CheckRecipients([]string{"a@b.com", "a@b.com"}) == nil || alert.CheckRecipients(make([]string, 6)) == nil {
		t.Error("twice the same, or six, are accepted")
	}
}

func FuzzCheckAddress(f *testing.F) {
	f.Add("amal@example.com")
	f.Add("a@b.com\r\nBcc: c@d.com")
	f.Add("أمل@مثال.السعودية")
	f.Fuzz(func(t *testing.T, text string) {
		if alert.CheckAddress(text) == nil && strings.ContainsAny(text, "\r\n\x00 ,<>\"") {
			t.Errorf("%q passes", text)
		}
	})
}
