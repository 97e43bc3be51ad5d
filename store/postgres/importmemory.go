package postgres

import (
	"context"

	"munadi/store/campaign"
)

var importMemories = tableOf[campaign.ImportMemory]{name: "import_memory", keys: []string{"org"}}

// FindImportMemory implements [store.CampaignStore].
func (s *PostgresStore) FindImportMemory(ctx context.Context, orgID string) (m campaign.ImportMemory, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		m, _, err = importMemories.find(e, orgID)
		return err
	})
	return m, err
}

// ChangeImportMemory implements [store.CampaignStore].
func (s *PostgresStore) ChangeImportMemory(
	ctx context.Context, orgID string, change func(*campaign.ImportMemory),
) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, orgID); err != nil {
			return err
		}
		m, _, err := importMemories.findReadable(e, orgID)
		if err == nil {
			change(&m)
			importMemories.put(e, m, orgID)
		}
		return err
	})
}
