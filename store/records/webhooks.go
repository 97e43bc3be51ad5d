package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/alert"
	"munadi/store/delivery"
	"munadi/store/driver"
	"munadi/store/record"
)

var (
	webhooks = declareKind[delivery.WebhookSetting](
		driver.Table{Kind: "webhook", Name: "webhooks", Key: []string{"org"}}, nil, nil)

	alertBoards = declareKind[alert.AlertBoard](
		driver.Table{Kind: "alerts", Name: "alerts", Key: []string{"org"}}, nil, nil)
)

// FindWebhook implements [store.OutboxStore].
func (s *Records) FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error) {
	return findSetting(ctx, s, webhooks, orgID)
}

// webhookOf returns an organization's webhook in a transaction.
func webhookOf(tx driver.Tx, orgID string) (delivery.WebhookSetting, error) {
	w, _, err := webhooks.find(tx, orgID)
	return w, err
}

// ChangeWebhook implements [store.OutboxStore].
func (s *Records) ChangeWebhook(
	ctx context.Context, orgID, actor string, now time.Time, change func(*delivery.WebhookSetting) error,
) (before, after delivery.WebhookSetting, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		after, err = changeSetting(tx, webhooks, orgID, func(w *delivery.WebhookSetting) error {
			before = *w
			if err := change(w); err != nil {
				return err
			}
			w.UpdatedAt = now
			return nil
		})
		tx.Announce(store.OutboxChanged)
		note := "off"
		if after.Enabled {
			note = "on"
		}
		entry := store.AuditEntry{At: now, Actor: actor, Action: "webhook.put", Subject: "webhook", Note: note}
		return audited{orgID, entry}, err
	})
	return before, after, err
}

// FindAlerts implements [store.AlertStore].
func (s *Records) FindAlerts(ctx context.Context, orgID string) (alert.AlertBoard, error) {
	return findSetting(ctx, s, alertBoards, orgID)
}

// ChangeAlerts implements [store.AlertStore].
func (s *Records) ChangeAlerts(
	ctx context.Context, orgID string, change func(*alert.AlertBoard) (store.AlertEffects, error),
) (board alert.AlertBoard, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		var effects store.AlertEffects
		board, err = changeState(tx, alertBoards, orgID, func(b *alert.AlertBoard) (err error) {
			effects, err = change(b)
			return err
		})
		for _, d := range effects.Deliveries {
			if err == nil {
				err = EnqueueDelivery(tx, d, record.LaneOfCalls)
			}
		}
		if effects.Audit != nil {
			done = audited{orgID, *effects.Audit}
		}
		return done, err
	})
	return board, err
}
