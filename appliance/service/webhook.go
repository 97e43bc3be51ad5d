package service

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
)

// WebhookRequest asks for a webhook setting, which replaces the current one.
type WebhookRequest struct {
	URL        string
	Enabled    *bool // nil: on with a URL
	Signing    *bool // nil: unchanged; on for a new webhook
	Alerts     *bool // nil: unchanged; off for a new webhook, since its receiver may expect only calls
	Rotate     bool  // creates a new signing secret; the old one also signs for one more day
	Violations FieldViolations
	Seen       Precondition[delivery.WebhookSetting]
}

// ChangedWebhook is a setting, and the signing secret that the change created, which is shown once; empty without one.
type ChangedWebhook struct {
	Setting delivery.WebhookSetting
	Secret  string
}

// ChangeWebhook sets the webhook's URL, on or off, and signing.
func (u *UseCases) ChangeWebhook(ctx context.Context, who Caller, r WebhookRequest) (ChangedWebhook, error) {
	now, found := u.now(), r.Violations
	u.checkWebhook(ctx, r.applyTo(delivery.WebhookSetting{}, now), &found)
	if err := violationError(found...); err != nil {
		return ChangedWebhook{}, err
	}
	return u.changeWebhook(ctx, who, now, r.Seen, func(kept delivery.WebhookSetting) delivery.WebhookSetting {
		return r.applyTo(kept, now)
	})
}

// RotateSecret creates a new signing secret; the old one also signs for one more day.
func (u *UseCases) RotateSecret(ctx context.Context, who Caller) (ChangedWebhook, error) {
	now := u.now()
	return u.changeWebhook(ctx, who, now, nil, func(kept delivery.WebhookSetting) delivery.WebhookSetting {
		return kept.RotateSecret(now)
	})
}

// changeWebhook is a read-modify-write of the setting in one transaction, so that no secret is lost.
func (u *UseCases) changeWebhook(
	ctx context.Context, who Caller, now time.Time, seen Precondition[delivery.WebhookSetting],
	change func(delivery.WebhookSetting) delivery.WebhookSetting,
) (ChangedWebhook, error) {
	before, after, err := u.Store.ChangeWebhook(ctx, who.OrgID, who.Actor, now,
		func(w *delivery.WebhookSetting) error {
			if err := seen.check(*w); err != nil {
				return err
			}
			*w = change(*w)
			return nil
		})
	return ChangedWebhook{after, after.NewSecret(before)}, err
}

// checkWebhook checks a setting by its own rules, then the target of its URL (SSRF protection).
func (u *UseCases) checkWebhook(ctx context.Context, w delivery.WebhookSetting, found *FieldViolations) {
	found.AddAll(delivery.CheckWebhook(w))
	if w.URL == "" || found.HasViolation("url") {
		return
	}
	if err := u.CheckURL(ctx, w.URL); err != nil {
		found.AddViolation("url", "%s", err.Error())
	}
}

// applyTo returns the setting that the request asks for, based on w.
func (r WebhookRequest) applyTo(w delivery.WebhookSetting, now time.Time) delivery.WebhookSetting {
	if r.Signing == nil {
		w = w.SignByDefault(now)
	}
	w.URL, w.Enabled, w.UpdatedAt = r.URL, r.URL != "", now
	if r.Enabled != nil {
		w.Enabled = *r.Enabled
	}
	if r.Signing != nil {
		w = w.SetSigning(*r.Signing, now)
	}
	if r.Alerts != nil {
		w.Alerts = *r.Alerts
	}
	if r.Rotate {
		w = w.RotateSecret(now)
	}
	return w
}

// TestWebhook enqueues a synthetic notification; a URL must be set, whether or not the webhook is enabled.
func (u *UseCases) TestWebhook(ctx context.Context, who Caller) (delivery.Delivery, error) {
	w, err := u.Store.FindWebhook(ctx, who.OrgID)
	if err != nil {
		return delivery.Delivery{}, err
	}
	if w.URL == "" {
		return delivery.Delivery{}, violationError(FieldViolation{Field: "url", Message: "is not set: PUT /webhook sets it"})
	}
	d := delivery.NewDelivery(who.OrgID, delivery.Test, call.NewID(), u.now())
	return d, u.Store.AddDelivery(ctx, d, who.Actor)
}

// RedeliverWebhook enqueues an ended delivery again. A webhook that would refuse it is a [ViolationError].
func (u *UseCases) RedeliverWebhook(ctx context.Context, who Caller, id string) (delivery.Delivery, error) {
	if err := u.checkReceiver(ctx, who.OrgID, id); err != nil {
		return delivery.Delivery{}, err
	}
	d, err := u.Store.RedeliverWebhook(ctx, who.OrgID, id, who.Actor, u.now())
	return d, explainConflict(err, StateForbidden, "The delivery has not ended yet")
}

// checkReceiver refuses the redelivery of a notification that no webhook would receive.
func (u *UseCases) checkReceiver(ctx context.Context, orgID, id string) error {
	d, err := u.Store.FindDelivery(ctx, orgID, id)
	if err != nil {
		return err
	}
	w, err := u.Store.FindWebhook(ctx, orgID)
	switch {
	case err != nil || w.Accepts(d.Kind):
		return err
	case w.URL == "":
		return violationError(FieldViolation{Field: "url", Message: "is not set: PUT /webhook sets it"})
	}
	return violationError(FieldViolation{Field: "enabled", Message: "is false: PUT /webhook turns the webhook on"})
}
