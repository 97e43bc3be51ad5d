package records

import (
	"context"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/alert"
	"munadi/store/campaign"
	"munadi/store/driver"
	"munadi/store/siptrunk"
)

// findSetting returns an organization's setting of a kind; its zero value without one.
func findSetting[T any](ctx context.Context, s *Records, k kindOf[T], orgID string) (setting T, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		setting, _, err = k.find(tx, orgID)
		return err
	})
	return setting, err
}

// changeSetting is a read-modify-write of an organization's setting. The error of change is returned unchanged.
func changeSetting[T any](tx driver.Tx, k kindOf[T], orgID string, change func(*T) error) (setting T, err error) {
	if err = lockOrganization(tx, orgID); err != nil {
		return setting, err
	}
	if setting, _, err = k.find(tx, orgID); err != nil {
		return setting, err
	}
	return applyTo(tx, k, orgID, setting, change)
}

// changeState is [changeSetting] for what the appliance keeps for itself: one that cannot be read begins anew.
func changeState[T any](tx driver.Tx, k kindOf[T], orgID string, change func(*T) error) (state T, err error) {
	if err = lockOrganization(tx, orgID); err != nil {
		return state, err
	}
	state, _, err = k.find(tx, orgID)
	if store.CodeOf(err) == store.CodeCorrupt {
		var fresh T
		state, err = fresh, nil
	}
	if err != nil {
		return state, err
	}
	return applyTo(tx, k, orgID, state, change)
}

func applyTo[T any](tx driver.Tx, k kindOf[T], orgID string, one T, change func(*T) error) (T, error) {
	if err := change(&one); err != nil {
		return one, err
	}
	return one, k.put(tx, one, orgID)
}

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

var trunkSettings = declareKind[siptrunk.Setting](
	driver.Table{Kind: "trunks", Name: "trunk_settings", Key: []string{"org"}}, nil, nil)

// FindTrunks implements [store.TrunkStore].
func (s *Records) FindTrunks(ctx context.Context, orgID string) (siptrunk.Setting, error) {
	return findSetting(ctx, s, trunkSettings, orgID)
}

// ChangeTrunks implements [store.TrunkStore].
func (s *Records) ChangeTrunks(
	ctx context.Context, orgID, actor string, now time.Time, change func(*siptrunk.Setting) error,
) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		after, err := changeSetting(tx, trunkSettings, orgID, func(kept *siptrunk.Setting) error {
			if err := change(kept); err != nil {
				return err
			}
			kept.UpdatedAt = now
			return nil
		})
		names := make([]string, len(after.Trunks))
		for i, t := range after.Trunks {
			names[i] = t.Name
		}
		return audited{orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "trunks.put", Subject: "SIP trunks", Note: strings.Join(names, " "),
		}}, err
	})
}

var importMemories = declareKind[campaign.ImportMemory](
	driver.Table{Kind: "import-memory", Name: "import_memory", Key: []string{"org"}}, nil, nil)

// FindImportMemory implements [store.CampaignStore].
func (s *Records) FindImportMemory(ctx context.Context, orgID string) (campaign.ImportMemory, error) {
	return findSetting(ctx, s, importMemories, orgID)
}

// ChangeImportMemory implements [store.CampaignStore].
func (s *Records) ChangeImportMemory(ctx context.Context, orgID string, change func(*campaign.ImportMemory)) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		_, err := changeState(tx, importMemories, orgID, func(m *campaign.ImportMemory) error {
			change(m)
			return nil
		})
		return err
	})
}
