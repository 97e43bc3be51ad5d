package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/alert"
	"munadi/store/driver"
)

var mailSettings = declareKind[alert.MailSetting](
	driver.Table{Kind: "mail", Name: "mail_settings", Key: []string{"org"}}, nil, nil)

// FindMailSetting implements [store.MailStore].
func (s *Records) FindMailSetting(ctx context.Context, orgID string) (alert.MailSetting, error) {
	return findSetting(ctx, s, mailSettings, orgID)
}

// ChangeMailSetting implements [store.MailStore].
func (s *Records) ChangeMailSetting(
	ctx context.Context, orgID, actor string, now time.Time, change func(*alert.MailSetting) error,
) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		after, err := changeSetting(tx, mailSettings, orgID, func(kept *alert.MailSetting) error {
			if err := change(kept); err != nil {
				return err
			}
			kept.UpdatedAt = now
			return nil
		})
		return audited{orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "mail.put", Subject: "mail server", Note: after.Host,
		}}, err
	})
}
