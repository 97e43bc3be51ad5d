package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"munadi/store"
	"munadi/store/records"
)

// uncountedCampaigns selects the campaigns whose people are not counted, because an appliance of an older version wrote
// their counters last.
const uncountedCampaigns = "c WHERE NOT EXISTS (SELECT 1 FROM campaign_tallies t WHERE t.org = c.org AND " +
	`t.campaign = c.id AND position('"people":{"counts":{'::bytea IN t.record) > 0)`

// countPeople computes the counters of campaigns whose people are not counted.
func (s *PostgresStore) countPeople(ctx context.Context) error {
	var uncounted [][2]string
	err := s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT c.org, c.id FROM campaigns " + uncountedCampaigns)
		if err == nil {
			uncounted, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (key [2]string, err error) {
				return key, row.Scan(&key[0], &key[1])
			})
		}
		return err
	})
	for _, key := range uncounted {
		if err == nil {
			err = s.updateTx(ctx, func(e *dbTx) error { return countCampaign(e, key[0], key[1]) })
		}
	}
	return err
}

// countForOlder counts the people of campaigns that appliances of an older version change during a rolling upgrade.
func (s *PostgresStore) countForOlder(ctx context.Context) {
	if err := s.countPeople(ctx); err != nil && ctx.Err() == nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Warn("the people of campaigns could not be counted; trying again", "err", err)
	}
}

// countCampaign computes the counters of a campaign, and brings the columns of its calls up to date.
func countCampaign(e *dbTx, orgID, id string) error {
	all, err := records.CountPeople(e, orgID, id)
	groups := map[string][]string{}
	for _, r := range all {
		group := string(r.PersonGroup())
		groups[group] = append(groups[group], r.Call.ID)
	}
	for group, ids := range groups {
		e.queueWrite("UPDATE calls SET person = $1 WHERE org = $2 AND id = ANY($3) AND person <> $1", group, orgID, ids)
	}
	return err
}
