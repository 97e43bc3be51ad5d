package service

import (
	"context"
	"fmt"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
)

// AcknowledgeAlert records that the caller has seen an alert; the alert stays open until its condition is over.
// installation means that the caller may see alerts of the installation. CodeNotFound without such an alert.
func (u *UseCases) AcknowledgeAlert(ctx context.Context, who Caller, id string, installation bool) error {
	now := u.now()
	_, err := u.Store.ChangeAlerts(ctx, who.OrgID, func(b *alert.AlertBoard) (effects store.AlertEffects, _ error) {
		found, known := b.FindAlert(id)
		if !known || found.Installation && !installation {
			return effects, store.Errorf(store.CodeNotFound, "there is no alert %q", id)
		}
		if found.AcknowledgedAt != nil {
			return effects, nil
		}
		b.AcknowledgeAlert(id, who.Actor, now)
		effects.Audit = &store.AuditEntry{At: now, Actor: who.Actor, Action: "alert.acknowledge", Subject: id}
		return effects, nil
	})
	return err
}

// ChangeAlertRecipients sets the addresses that an organization's own alerts are mailed to; none: no e-mail.
func (u *UseCases) ChangeAlertRecipients(
	ctx context.Context, who Caller, addresses []string, seen Precondition[[]string],
) error {
	if err := alert.CheckRecipients(addresses); err != nil {
		return violationError(FieldViolation{Field: "recipients", Message: err.Error()})
	}
	now := u.now()
	_, err := u.Store.ChangeAlerts(ctx, who.OrgID, func(b *alert.AlertBoard) (store.AlertEffects, error) {
		if err := seen.check(b.Recipients); err != nil {
			return store.AlertEffects{}, err
		}
		b.Recipients = addresses
		return store.AlertEffects{Audit: &store.AuditEntry{
			At: now, Actor: who.Actor, Action: "alert.recipients", Subject: "alerts",
			Note: fmt.Sprintf("%d addresses", len(addresses)),
		}}, nil
	})
	return err
}

// AlertRecipients returns the addresses that an organization's own alerts are mailed to: those that it has set, or for
// the default organization without any those of the operator. sends is false if no mail server is set.
func (u *UseCases) AlertRecipients(
	ctx context.Context, orgID string, b alert.AlertBoard,
) (addresses []string, sends bool) {
	if u.OperatorMail == nil {
		return nil, false
	}
	operator, sends := u.OperatorMail(ctx)
	return recipientsOf(orgID, b, operator), sends
}

// recipientsOf returns the addresses that an organization's own alerts are mailed to.
func recipientsOf(orgID string, b alert.AlertBoard, operator []string) []string {
	if orgID == account.Default && len(b.Recipients) == 0 {
		return operator
	}
	return b.Recipients
}

// TestAlertMail queues a test e-mail to the organization's addresses. A [*ViolationError] if there are none, no mail
// server is set, or too many e-mails were sent within an hour.
func (u *UseCases) TestAlertMail(ctx context.Context, who Caller) error {
	now, left := u.now(), 0
	operator, sends := []string(nil), false
	if u.OperatorMail != nil {
		operator, sends = u.OperatorMail(ctx)
	}
	_, err := u.Store.ChangeAlerts(ctx, who.OrgID, func(b *alert.AlertBoard) (effects store.AlertEffects, _ error) {
		to := recipientsOf(who.OrgID, *b, operator)
		if !sends || len(to) == 0 {
			return effects, violationError(FieldViolation{Field: "recipients", Message: "no mail server or no address is set"})
		}
		left = b.QueueMail(alert.Alert{}, alert.Trial, to, now)
		effects.Audit = &store.AuditEntry{At: now, Actor: who.Actor, Action: "alert.mail_test", Subject: "alerts"}
		return effects, nil
	})
	if err == nil && left > 0 {
		err = violationError(FieldViolation{Field: "recipients", Message: "too many e-mails were sent within the last hour"})
	}
	return err
}
