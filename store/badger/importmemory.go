package badger

import (
	"context"

	"munadi/store"
	"munadi/store/campaign"
)

// FindImportMemory implements [store.CampaignStore].
func (s *BadgerStore) FindImportMemory(ctx context.Context, orgID string) (m campaign.ImportMemory, err error) {
	if !isKeyPart(orgID) {
		return m, nil
	}
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		_, err := v.getRecord(joinKey(kindImportMemory, orgID), &m)
		return err
	})
	return m, err
}

// ChangeImportMemory implements [store.CampaignStore].
func (s *BadgerStore) ChangeImportMemory(ctx context.Context, orgID string, change func(*campaign.ImportMemory)) error {
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		var m campaign.ImportMemory
		if _, err := e.getRecord(joinKey(kindImportMemory, orgID), &m); err != nil && !store.IsUnreadable(err) {
			return err
		}
		change(&m)
		e.putRecord(joinKey(kindImportMemory, orgID), m)
		return nil
	})
}
