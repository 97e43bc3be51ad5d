package postgres

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

// callQueues are the queues of scheduled calls with room, of an organization or one of its campaigns, as parallel
// slices.
type callQueues struct {
	orgs, campaigns []string // an empty campaign: the calls without one
	rooms           []int
}

// add adds a queue, if it has room.
func (q *callQueues) add(orgID, campaignID string, room int) {
	if room > 0 {
		q.orgs, q.campaigns, q.rooms = append(q.orgs, orgID), append(q.campaigns, campaignID), append(q.rooms, room)
	}
}

// scheduledIn is the condition of the calls in queue q.
const scheduledIn = "c.org = q.org AND c.campaign = q.campaign AND c.status = 'scheduled'"

// DueCallsOf implements [store.CallStore].
func (s *PostgresStore) DueCallsOf(
	ctx context.Context, room func(orgID string) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT o.id FROM organizations o WHERE EXISTS (SELECT 1 FROM calls c WHERE c.org = o.id " +
			"AND c.campaign = '' AND c.status = 'scheduled')")
		if err != nil {
			return err
		}
		ids, err := collectText(rows)
		var queues callQueues
		for _, id := range ids {
			queues.add(id, "", room(id))
		}
		if err == nil {
			found, next, err = readDue(e, queues, now, limit)
		}
		return err
	})
	return found, next, err
}

// collectText reads rows of one text.
func collectText(rows pgxRows) (all []string, err error) {
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// readDue returns the first due calls, up to the room of each queue, and the next dial time in the future. Calls to a
// number that another appliance has on a line are left out.
func readDue(e *dbTx, queues callQueues, now time.Time, limit int) (found []call.Call, next time.Time, err error) {
	if len(queues.orgs) == 0 {
		return nil, next, nil
	}
	if found, err = queues.readCalls(e, now, max(limit, 0)); err != nil {
		return nil, next, err
	}
	var at *int64
	_, err = e.scanRow(`SELECT min(n.due) FROM unnest($1::text[], $2::text[]) AS q (org, campaign) CROSS JOIN LATERAL (
			SELECT c.due FROM calls c WHERE `+scheduledIn+` AND c.due > $3 ORDER BY c.due LIMIT 1) n`,
		[]any{queues.orgs, queues.campaigns, unixNanos(now)}, &at)
	return found, timeOf(at), err
}

// readCalls reads the first due calls of the queues, at most limit. Unreadable calls take no room: as long as there are
// any among the rows, more rows are read.
func (q callQueues) readCalls(e *dbTx, now time.Time, limit int) (found []call.Call, err error) {
	for skipped := 0; ; {
		rows, err := readRecords[record.CallRecord](e, calls.name, `
			SELECT d.record, q.org || '/' || d.id FROM unnest($1::text[], $2::text[], $3::bigint[]) AS q (org, campaign, room)
			CROSS JOIN LATERAL (
				SELECT c.record, c.due, c.made, c.id FROM calls c WHERE `+scheduledIn+` AND c.due <= $4 AND NOT EXISTS (
					SELECT 1 FROM calls b WHERE b.org = c.org AND b.status IN ('dialing', 'in_progress')
					AND b.number = c.number AND b.owner <> $6)
				ORDER BY c.due, c.made, c.id LIMIT least(q.room, $5) + $7
			) d ORDER BY d.due, d.made, d.id, q.org LIMIT $5::bigint + $7::bigint`,
			q.orgs, q.campaigns, q.rooms, unixNanos(now), limit, e.appliance, skipped)
		readable := readableOf(rows)
		if err != nil || len(rows)-len(readable) == skipped {
			return q.takeRoom(readable, limit), err
		}
		skipped = len(rows) - len(readable)
	}
}

// takeRoom returns the calls for which their queues have room, at most limit.
func (q callQueues) takeRoom(due []record.CallRecord, limit int) (found []call.Call) {
	room := map[[2]string]int{}
	for i := range q.orgs {
		room[[2]string{q.orgs[i], q.campaigns[i]}] = q.rooms[i]
	}
	for _, r := range due {
		queue := [2]string{r.Call.OrgID, r.Call.CampaignID}
		if room[queue]--; room[queue] >= 0 && len(found) < limit {
			found = append(found, r.Call)
		}
	}
	return found
}

// DueCampaignCalls implements [store.CampaignStore]: of the campaigns that this appliance owns, so that one appliance
// enforces a campaign's limits.
func (s *PostgresStore) DueCampaignCalls(
	ctx context.Context, room func(c campaign.Campaign) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		running, err := campaigns.list(e, "p WHERE p.status = 'running' AND NOT p.loading AND p.owner = $1 AND EXISTS ("+
			"SELECT 1 FROM calls c WHERE c.org = p.org AND c.campaign = p.id AND c.status = 'scheduled') ORDER BY p.org, p.id",
			e.appliance)
		var queues callQueues
		var begin time.Time
		for _, c := range running {
			if c.StartsAt != nil && c.StartsAt.After(now) {
				begin = record.EarliestTime(begin, *c.StartsAt)
				continue
			}
			if c, err = withTally(e, c); err != nil {
				return err
			}
			queues.add(c.OrgID, c.ID, room(c))
		}
		if err == nil {
			found, next, err = readDue(e, queues, now, limit)
		}
		next = record.EarliestTime(next, begin)
		return err
	})
	return found, next, err
}
