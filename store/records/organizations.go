package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/driver"
)

var (
	firstStarts = declareKind[time.Time](driver.Table{Kind: "bootstrap", Name: "settings"}, nil, nil)

	installations = declareKind[store.InstallationRecord](driver.Table{Kind: "installation", Name: "settings"}, nil, nil)

	organizations = declareKind[account.Organization](
		driver.Table{Kind: "org", Name: "organizations", Key: []string{"id"}}, nil,
		func(key []string) error {
			return store.Errorf(store.CodeNotFound, "there is no organization %q", key[0])
		})
)

// needOrganization returns [store.CodeNotFound] unless the organization exists; one that cannot be read exists.
func needOrganization(tx driver.Tx, id string) error { return ignoreDamage(organizations.need(tx, id)) }

// lockOrganization is [needOrganization] with a lock, so that transactions that change an organization's settings run
// one after the other.
func lockOrganization(tx driver.Tx, id string) error { return ignoreDamage(organizations.lock(tx, id)) }

// ignoreDamage returns err, or nil if the record is there and cannot be read.
func ignoreDamage[T any](_ T, err error) error {
	if store.CodeOf(err) == store.CodeCorrupt {
		return nil
	}
	return err
}

// FindInstallation implements [store.InstallationStore].
func (s *Records) FindInstallation(ctx context.Context) (kept *store.InstallationRecord, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		one, found, err := installations.find(tx)
		if kept = nil; found {
			kept = &one
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return kept, nil
}

// ClaimInstallation implements [store.InstallationStore].
func (s *Records) ClaimInstallation(
	ctx context.Context, fresh store.InstallationRecord,
) (kept store.InstallationRecord, err error) {
	if fresh.ID == "" || len(fresh.SecretCheck) == 0 {
		return fresh, store.Errorf(store.CodeInvalid, "an installation record needs an id and a check of its secret")
	}
	err = s.db.Update(ctx, func(tx driver.Tx) (err error) {
		kept = fresh
		err = installations.add(tx, fresh, "this database belongs to an installation")
		if store.CodeOf(err) == store.CodeConflict {
			kept, _, err = installations.find(tx)
		}
		return err
	})
	return kept, err
}

// Bootstrap implements [store.OrganizationStore].
func (s *Records) Bootstrap(
	ctx context.Context, first account.Organization, key *account.APIKey, now time.Time,
) (made bool, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) error {
		err := firstStarts.add(tx, now, "the first start is over")
		switch store.CodeOf(err) {
		case store.CodeConflict, store.CodeCorrupt: // a database with damaged records is not a new one
			made = false
			return nil
		}
		if made = err == nil; !made {
			return err
		}
		if err := createOrganization(tx, first); err != nil && store.CodeOf(err) != store.CodeConflict {
			return err
		}
		if key == nil {
			return nil
		}
		return addKey(tx, *key)
	})
	return made && err == nil, err
}

// CreateOrganization implements [store.OrganizationStore].
func (s *Records) CreateOrganization(ctx context.Context, o account.Organization, actor string) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		entry := store.AuditEntry{At: o.CreatedAt, Actor: actor, Action: "organization.create", Subject: o.ID}
		return audited{o.ID, entry}, createOrganization(tx, o)
	})
}

// createOrganization adds o unless its id is in use.
func createOrganization(tx driver.Tx, o account.Organization) error {
	if err := account.CheckID(o.ID); err != nil {
		return store.Errorf(store.CodeInvalid, "%v", err)
	}
	if err := organizations.add(tx, o, "there is already an organization \""+o.ID+"\"", o.ID); err != nil {
		return err
	}
	return enrollOrganizations(tx, o.CreatedAt, true, o.ID)
}

// RequireSecondFactor implements [store.OrganizationStore].
func (s *Records) RequireSecondFactor(
	ctx context.Context, id, actor string, now time.Time, required bool,
) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		o, err := organizations.lock(tx, id)
		if err != nil {
			return audited{}, err
		}
		entry := store.AuditEntry{
			At: now, Actor: actor, Action: "organization.second_factor", Subject: id, Note: "optional",
		}
		if o.NeedsSecondFactor = required; required {
			entry.Note = "required"
		}
		return audited{id, entry}, organizations.put(tx, o, id)
	})
}

// FindOrganization implements [store.OrganizationStore].
func (s *Records) FindOrganization(ctx context.Context, id string) (account.Organization, error) {
	return read(ctx, s, func(tx driver.Tx) (account.Organization, error) { return organizations.need(tx, id) })
}

// ListOrganizations implements [store.OrganizationStore].
func (s *Records) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	return read(ctx, s, func(tx driver.Tx) ([]account.Organization, error) {
		return organizations.list(tx, driver.Query{})
	})
}
