package webhook_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/webhook"
	"munadi/store"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/delivery"
)

// callFinder finds one call.
type callFinder struct{ call call.Call }

func (f callFinder) FindCall(_ context.Context, orgID, id string) (call.Call, error) {
	if orgID != f.call.OrgID || id != f.call.ID {
		return call.Call{}, store.Errorf(store.CodeNotFound, "there is no call %q", id)
	}
	return f.call, nil
}

// The body of a try is the same whenever it is made; a redelivery's links are signed again; a body that was sent is
// kept.
func TestNotificationBody(t *testing.T) {
	t.Parallel()
	signer, err := signedurl.NewSigner([32]byte{7})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	links := &signedurl.SignedLinks{
		Signer: signer, PublicURL: func() string { return "https://calls.example" }, Now: func() time.Time { return now },
	}
	end := now
	ended := call.Call{
		ID: "c1", OrgID: "acme", Status: call.Completed, Recording: "c1.wav", CreatedAt: now, StartedAt: &end, EndedAt: &end,
	}
	source := webhook.NotificationSource{Calls: callFinder{ended}, Links: links}
	d := delivery.Delivery{OrgID: "acme", CallID: "c1", CreatedAt: now}
	body := func(d delivery.Delivery) string {
		t.Helper()
		b, err := source.NotificationBody(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	first := body(d)
	if !strings.Contains(first, "https://calls.example/api/v1/calls/c1/recording?t=") {
		t.Errorf("no link in %s", first)
	}
	now = now.Add(time.Hour)
	if again := body(d); again != first {
		t.Errorf("an hour later the body is\n%s\nnot\n%s", again, first)
	}
	if kept := body(delivery.Delivery{Body: []byte("{}")}); kept != "{}" {
		t.Errorf("a sent body became %s", kept)
	}
	if sample := body(delivery.Delivery{OrgID: "acme", CallID: "c2", Kind: delivery.Test, CreatedAt: now}); sample == "" {
		t.Error("a test has no body")
	}
	source.Alerts = alertFinder{Open: []alert.Alert{{ID: "alert_1", Kind: alert.CallingStopped, RaisedAt: now}}}
	raised := body(delivery.Delivery{OrgID: "acme", CallID: "alert_1", Kind: delivery.AlertRaised})
	if !strings.Contains(raised, `"alert_id":"alert_1"`) || !strings.Contains(raised, `"type":"alert"`) || strings.Contains(raised, "call_id") {
		t.Errorf("an alert's body is %s", raised)
	}
	gone := delivery.Delivery{OrgID: "acme", CallID: "alert_2", Kind: delivery.AlertCleared}
	if _, err := source.NotificationBody(t.Context(), gone); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("an alert that has left the list: %v", err)
	}
	if _, err := source.NotificationBody(t.Context(), delivery.Delivery{OrgID: "other", CallID: "c1"}); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another organization's call: %v", err)
	}
}

// alertFinder is a board of alerts.
type alertFinder alert.AlertBoard

func (f alertFinder) FindAlerts(context.Context, string) (alert.AlertBoard, error) {
	return alert.AlertBoard(f), nil
}
