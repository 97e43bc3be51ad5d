package records

import (
	"context"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

const (
	claimTransactions = 4  // that run at once; claims which come meanwhile wait for the next one, and share it
	maxClaims         = 64 // of one transaction
)

// claim is the release of a call to a line of this appliance.
type claim struct {
	orgID, id string
	now       time.Time

	before, after record.CallRecord
	err           error

	turn chan []*claim // a batch to be run, beginning with this claim; closed when the claim was settled by another's run
}

// claimQueue holds the claims that wait for a transaction.
type claimQueue struct {
	mu      sync.Mutex
	waiting []*claim
	running int // transactions
}

// settle returns when run has settled a claim: in a batch run here, or by the goroutine of another claim.
func (q *claimQueue) settle(c *claim, run func(batch []*claim)) {
	c.turn = make(chan []*claim, 1)
	q.mu.Lock()
	if q.running < claimTransactions {
		q.running++
		c.turn <- []*claim{c}
	} else {
		q.waiting = append(q.waiting, c)
	}
	q.mu.Unlock()
	if batch, leads := <-c.turn; leads {
		defer q.end(batch)
		run(batch)
	}
}

// end wakes those whose claims were settled, and hands the next batch to the first of those that wait.
func (q *claimQueue) end(batch []*claim) {
	for _, c := range batch {
		close(c.turn)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.running--
		return
	}
	n := min(len(q.waiting), maxClaims)
	next := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	next[0].turn <- next
}

// ReleaseCall implements [store.CallStore]. This appliance becomes the call's owner. In a shared store it is refused
// while another appliance has a call of the organization to the same number on a line. Calls that are released at once
// share transactions where that costs less; each is decided about as if it came after those before it.
func (s *Records) ReleaseCall(ctx context.Context, orgID, id string, now time.Time) (call.Call, error) {
	if err := ctx.Err(); err != nil {
		return call.Call{}, err
	}
	c := &claim{orgID: orgID, id: id, now: now, err: errNotRun}
	if s.db.GroupsCommits() {
		s.runClaims(ctx, []*claim{c})
	} else {
		s.claims.settle(c, func(batch []*claim) { s.runClaims(ctx, batch) })
	}
	if c.err != nil {
		return call.Call{}, c.err
	}
	return c.after.Call, nil
}

// errNotRun is the error of a claim whose transaction panicked.
var errNotRun = store.Errorf(store.CodeInternal, "the call's release was broken off")

// runClaims settles a batch. Its transaction does not end with the context of the one that runs it. What undoes a batch
// is repeated claim by claim, so that one call does not hold up others.
func (s *Records) runClaims(ctx context.Context, batch []*claim) {
	if len(batch) > 1 {
		ctx = context.WithoutCancel(ctx)
	}
	err := s.db.Update(ctx, func(tx driver.Tx) error { return releaseCalls(tx, batch) })
	switch code := store.CodeOf(err); {
	case err == nil:
	case len(batch) == 1 || code == store.CodeUnavailable || code == store.CodeClosed:
		for _, c := range batch {
			c.err = err
		}
	default:
		for i := range batch {
			s.runClaims(ctx, batch[i:i+1])
		}
	}
}

// releaseCalls decides about claims, then releases the calls that are not refused. Refusals are errors of the claims;
// an error of its own undoes the transaction. Locks are taken in the order calls, campaigns, numbers, lines.
func releaseCalls(tx driver.Tx, batch []*claim) error {
	if err := tx.CheckLease(); err != nil {
		return err
	}
	for _, step := range []func(driver.Tx, []*claim) error{
		readClaims, loadFacts, checkClaims, refuseBusyNumbers, refuseBeyondLimits,
	} {
		if err := step(tx, batch); err != nil {
			return err
		}
	}
	for _, c := range accepted(batch) {
		if err := applyRelease(tx, c); err != nil {
			return err
		}
	}
	return nil
}

// accepted returns the claims that are not refused.
func accepted(batch []*claim) (all []*claim) {
	for _, c := range batch {
		if c.err == nil {
			all = append(all, c)
		}
	}
	return all
}

// keysOf returns the keys of claims that are not refused.
func keysOf(batch []*claim, of func(c *claim) []string) (keys [][]string) {
	for _, c := range accepted(batch) {
		keys = append(keys, of(c))
	}
	return keys
}

// key is the key of the call.
func (c *claim) key() []string { return []string{partOf(c.orgID, c.id), c.id} }

// readClaims reads and locks the calls, and reads the rules and destinations of their organizations.
func readClaims(tx driver.Tx, batch []*claim) error {
	for _, c := range batch {
		if c.err = nil; !record.IsKeyPart(c.orgID) || !record.IsKeyPart(c.id) {
			c.err = record.NoCall(c.id)
		}
	}
	owners := keysOf(batch, func(c *claim) []string { return []string{c.orgID} })
	err := tx.Load(driver.Load{Table: calls.Table, Lock: driver.RowLock, Keys: keysOf(batch, (*claim).key)},
		driver.Load{Table: rules.Table, Keys: owners}, driver.Load{Table: destinationBoards.Table, Keys: owners})
	if err != nil {
		return err
	}
	for _, c := range accepted(batch) {
		if c.before, c.err = calls.require(tx, driver.RowLock, c.key()); store.CodeOf(c.err) == store.CodeInternal {
			return c.err
		}
		c.after = c.before
	}
	return nil
}

// loadFacts locks the campaigns and reads their counters, suppressions, and which rules are kept.
func loadFacts(tx driver.Tx, batch []*claim) error {
	var owners, kept [][]string
	for _, c := range accepted(batch) {
		if id := c.before.Call.CampaignID; id != "" {
			owners = append(owners, []string{c.orgID, id})
		}
		if inForce, err := rulesOf(tx, c.orgID); err == nil {
			if sum, _, err := sumRules(inForce); err == nil {
				kept = append(kept, []string{c.orgID, sum})
			}
		}
	}
	numbers := keysOf(batch, func(c *claim) []string { return []string{c.orgID, c.before.Call.PhoneNumber} })
	return tx.Load(driver.Load{Table: campaigns.Table, Lock: driver.RowLock, Keys: owners},
		driver.Load{Table: campaignTallies.Table, Keys: owners}, driver.Load{Table: suppressions.Table, Keys: numbers},
		driver.Load{Table: rulesKept.Table, Keys: kept})
}

// checkClaims refuses claims by the state of the call and its campaign. Of claims of one call the first counts.
func checkClaims(tx driver.Tx, batch []*claim) error {
	released := map[string]call.Call{}
	for _, c := range accepted(batch) {
		now := c.before.Call
		if first, again := released[c.orgID+"/"+c.id]; again {
			now = first
		}
		if c.err = needOpenCampaign(tx, now); c.err == nil {
			c.after.Call, c.err = now.ReleaseToLine(c.now)
			c.err = record.ToConflict(c.err)
		}
		switch store.CodeOf(c.err) {
		case "":
			released[c.orgID+"/"+c.id] = c.after.Call
		case store.CodeInternal:
			return c.err
		}
	}
	return nil
}

// refuseBusyNumbers refuses claims of calls to a number that another appliance has on a line. Within an appliance the
// scheduler keeps that.
func refuseBusyNumbers(tx driver.Tx, batch []*claim) error {
	if !tx.Shared() {
		return nil
	}
	if err := tx.LockNames(keysOf(batch, func(c *claim) []string {
		return []string{"number", c.orgID, c.after.Call.PhoneNumber}
	})...); err != nil {
		return err
	}
	numbers := map[string][]any{}
	for _, c := range accepted(batch) {
		numbers[c.orgID] = append(numbers[c.orgID], c.after.Call.PhoneNumber)
	}
	for orgID, all := range numbers {
		busy := map[string]bool{}
		if err := findBusy(tx, orgID, all, busy); err != nil {
			return err
		}
		for _, c := range accepted(batch) {
			if c.orgID == orgID && busy[c.after.Call.PhoneNumber] {
				c.err = store.Errorf(store.CodeConflict, "another appliance has this number on a line")
			}
		}
	}
	return nil
}

// findBusy finds those of an organization's numbers that another appliance has on a line.
func findBusy(tx driver.Tx, orgID string, numbers []any, busy map[string]bool) error {
	unreadable := false
	err := calls.visitAll(tx, driver.Query{
		Index: callsRunning, Equal: []any{orgID}, Owner: driver.OtherOwner,
		Where: []driver.Condition{{Column: "number", Op: driver.OneOf, Value: numbers}},
	}, func(row driver.Row, r record.CallRecord) (bool, error) {
		number := r.Call.PhoneNumber
		if row.Err != nil { // it does not say which of several numbers it has
			unreadable, number = true, numbers[0].(string)
		}
		busy[number] = busy[number] || row.Err == nil || len(numbers) == 1
		return true, nil
	})
	if err != nil || !unreadable || len(numbers) == 1 {
		return err
	}
	for i := range numbers {
		if err := findBusy(tx, orgID, numbers[i:i+1], busy); err != nil {
			return err
		}
	}
	return nil
}

// refuseBeyondLimits refuses claims beyond their organization's limit of running calls. Within an appliance the
// scheduler keeps that.
func refuseBeyondLimits(tx driver.Tx, batch []*claim) error {
	if !tx.Shared() {
		return nil
	}
	var limited [][]string
	for _, c := range accepted(batch) {
		if own, err := rulesOf(tx, c.orgID); err == nil && own.MaxConcurrent > 0 {
			limited = append(limited, linesName(c.orgID))
		}
	}
	if err := tx.LockNames(limited...); err != nil {
		return err
	}
	room := map[string]organizationLines{}
	for _, c := range accepted(batch) {
		lines, known := room[c.orgID]
		if !known {
			var err error
			if lines, err = linesOf(tx, c.orgID); store.IsUnreadable(err) {
				c.err = err
				continue
			} else if err != nil {
				return err
			}
		}
		if c.err = lines.needOne(); c.err == nil {
			lines.running++
		}
		room[c.orgID] = lines
	}
	return nil
}

// applyRelease writes a released call.
func applyRelease(tx driver.Tx, c *claim) (err error) {
	if err := tx.Own(calls.Table, c.key()); err != nil {
		return err
	}
	if c.after.Call.Dialled, err = keepDialFacts(tx, c.after.Call, c.now); err != nil {
		return err
	}
	line := call.TimelineEntry{At: c.now, Event: "released", Actor: record.ByScheduler}
	if err := addLine(tx, &c.after, line); err != nil {
		return err
	}
	return saveCall(tx, &c.before, c.after)
}
