package records

import (
	"context"

	"munadi/store/campaign"
	"munadi/store/driver"
)

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
