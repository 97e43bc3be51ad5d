package storetest

import (
	"errors"
	"sync"
	"testing"

	"munadi/store"
	"munadi/store/alert"
	"munadi/store/delivery"
)

// raiseAlert raises the kill switch's alert with a notification; it returns the number of alerts raised.
func raiseAlert(t *testing.T, s store.Store, orgID string) (raised int) {
	t.Helper()
	_, err := s.ChangeAlerts(t.Context(), orgID, func(b *alert.AlertBoard) (effects store.AlertEffects, _ error) {
		raised = 0
		a, fresh := b.RaiseAlert(alert.Alert{Kind: alert.CallingStopped}, startTime())
		if !fresh {
			return effects, nil
		}
		raised = 1
		d := delivery.NewDelivery(orgID, delivery.AlertRaised, a.ID, startTime())
		effects.Deliveries = append(effects.Deliveries, d)
		return effects, nil
	})
	wantCode(t, "ChangeAlerts", err, "")
	return raised
}

// testAlerts: a change of the board and its notifications are one transaction; boards of organizations are separate.
func testAlerts(t *testing.T, s store.Store) {
	ctx := t.Context()
	addOrganizations(t, s, "bakery", "airline")
	enableWebhook(t, s, "bakery")
	if b, err := s.FindAlerts(ctx, "bakery"); err != nil || len(b.Open)+len(b.Past) > 0 {
		t.Fatalf("a new organization has alerts: %+v, %v", b, err)
	}
	if first, second := raiseAlert(t, s, "bakery"), raiseAlert(t, s, "bakery"); first != 1 || second != 0 {
		t.Errorf("raised %d, then %d", first, second)
	}
	refused := errors.New("refused")
	_, err := s.ChangeAlerts(ctx, "bakery", func(b *alert.AlertBoard) (store.AlertEffects, error) {
		b.Open = nil
		return store.AlertEffects{Deliveries: []delivery.Delivery{
			delivery.NewDelivery("bakery", delivery.AlertCleared, "alert_x", startTime()),
		}}, refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("a refused change returns %v", err)
	}
	b, err := s.FindAlerts(ctx, "bakery")
	if err != nil || len(b.Open) != 1 || b.Open[0].Kind != alert.CallingStopped {
		t.Errorf("the board is %+v, %v", b, err)
	}
	page, err := s.ListDeliveries(ctx, "bakery", delivery.Pending, 10, "")
	if err != nil || len(page.Items) != 1 || page.Items[0].Kind != delivery.AlertRaised || page.Items[0].CallID != b.Open[0].ID {
		t.Errorf("the outbox has %+v, %v", page.Items, err)
	}
	if b, err := s.FindAlerts(ctx, "airline"); err != nil || len(b.Open) > 0 {
		t.Errorf("another organization's board is %+v, %v", b, err)
	}
	_, err = s.ChangeAlerts(ctx, "nobody", func(*alert.AlertBoard) (store.AlertEffects, error) {
		return store.AlertEffects{}, nil
	})
	wantCode(t, "ChangeAlerts of no organization", err, store.CodeNotFound)
}

// alertsByMany: concurrent changes that raise the same alert raise it once.
func alertsByMany(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	var mu sync.Mutex
	var all sync.WaitGroup
	total := 0
	for range 8 {
		all.Go(func() {
			n := raiseAlert(t, s, "bakery")
			mu.Lock()
			defer mu.Unlock()
			total += n
		})
	}
	all.Wait()
	page, err := s.ListDeliveries(t.Context(), "bakery", "", 10, "")
	if err != nil || total != 1 || len(page.Items) != 1 {
		t.Errorf("raised %d times, with %d notifications, %v", total, len(page.Items), err)
	}
}
