package alerting_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/alerting"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/delivery"
)

// TestLateReplies checks the share and the bounds at which replies count as late and as timely again, that few tell
// nothing, and that old ones are forgotten.
func TestLateReplies(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		late, timely int
		gap          time.Duration // of the late ones
		want         alerting.ConditionState
	}{
		"few":               {19, 0, 3 * time.Second, alerting.Unknown},
		"one in twenty":     {5, 95, 3 * time.Second, alerting.Over},
		"more":              {6, 94, 3 * time.Second, alerting.Holds},
		"at the limit":      {100, 0, 1500 * time.Millisecond, alerting.Unknown},
		"above the limit":   {100, 0, 1501 * time.Millisecond, alerting.Holds},
		"timely once again": {100, 0, 1200 * time.Millisecond, alerting.Over},
		"many":              {6000, 0, 2 * time.Second, alerting.Holds},
	} {
		var w alerting.ReplyWatch
		for range c.late {
			w.CountReply(c.gap, now)
		}
		for range c.timely {
			w.CountReply(400*time.Millisecond, now)
		}
		if got := w.JudgeReplies(now.Add(time.Minute)); got.State != c.want || (got.State == alerting.Holds) != (got.Facts["wait"] != "") {
			t.Errorf("%s: %+v", name, got)
		}
		if got := w.JudgeReplies(now.Add(11 * time.Minute)); got.State != alerting.Unknown {
			t.Errorf("%s: after eleven minutes %+v", name, got)
		}
	}
}

// TestLateRepliesAreAlerted checks that late replies of calls raise one alert of the installation, with a notification
// and an e-mail to its operator, and that timely ones end it with one of each.
func TestLateRepliesAreAlerted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mail := w.mailServer()
	w.setWebhook(account.Default, true)
	w.setRecipients(account.Default, "duty@clinic.example")
	m := w.startMonitor("")
	var replies alerting.ReplyWatch
	talk := func(gap, during time.Duration) { // a reply every 15 s
		for end := w.now.Add(during); w.now.Before(end); {
			replies.CountReply(gap, w.now)
			w.machine = []alerting.Condition{replies.JudgeReplies(w.now)}
			w.advanceTime(m, 15*time.Second)
			m.SendDue(t.Context())
		}
	}
	talk(400*time.Millisecond, 10*time.Minute)
	w.wantAlerts("timely replies", account.Default, 0, 0)
	talk(2100*time.Millisecond, 4*time.Minute)
	b := w.wantAlerts("late replies", account.Default, 1, 0)
	if a := b.Open[0]; a.Kind != alert.LateReplies || a.Facts["wait"] != "2.1" {
		t.Errorf("the alert is %+v", a)
	}
	talk(400*time.Millisecond, 16*time.Minute)
	w.wantAlerts("timely again", account.Default, 0, 1)
	if got := w.eventKinds(account.Default); !slices.Equal(got, []delivery.DeliveryKind{delivery.AlertRaised, delivery.AlertCleared}) {
		t.Errorf("notifications %v", got)
	}
	var subjects []string
	for _, one := range mail.ListReceived() {
		subject, _ := one.ReadText(t)
		subjects = append(subjects, subject)
	}
	if len(subjects) != 2 || strings.Contains(subjects[0], "Over") || !strings.Contains(subjects[1], "Over") {
		t.Errorf("e-mails %q", subjects)
	}
}
