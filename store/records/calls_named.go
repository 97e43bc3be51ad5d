package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
	"munadi/store/scenario"
)

// callsNamed is when all calls were found by name; there is no record before.
var callsNamed = declareKind[time.Time](driver.Table{Kind: "calls-named", Name: "settings"}, nil, nil)

// warnUnnamed adds to a context's report that a search by name may miss calls of an older version.
func (s *Records) warnUnnamed(ctx context.Context) error {
	named, err := s.areCallsNamed(ctx)
	if err == nil && !named {
		store.DamageReportOf(ctx).AddUnnamed()
	}
	return err
}

// areCallsNamed reports whether [Records.NameOlderCalls] has ended.
func (s *Records) areCallsNamed(ctx context.Context) (named bool, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		_, found, err := callsNamed.find(tx)
		named = found && err == nil
		if store.IsUnreadable(err) {
			err = nil
		}
		return err
	})
	return named, err
}

// NameOlderCalls implements [store.CallStore].
func (s *Records) NameOlderCalls(ctx context.Context, builtIn []scenario.Scenario, now time.Time) error {
	if named, err := s.areCallsNamed(ctx); err != nil || named {
		return err
	}
	all, err := s.ListOrganizations(ctx)
	if err != nil {
		return err
	}
	for _, org := range all {
		own, err := s.ListScenarios(ctx, org.ID)
		if err != nil {
			return err
		}
		plans := map[string]scenario.Scenario{}
		for _, plan := range append(own, builtIn...) {
			plans[plan.ID] = plan
		}
		if err := s.nameCallsOf(ctx, org.ID, plans); err != nil {
			return err
		}
	}
	return s.db.Update(ctx, func(tx driver.Tx) error { return callsNamed.put(tx, now) })
}

// The limits of the calls that one transaction of [Records.NameOlderCalls] changes, and of those that it reads before.
const (
	namedAtOnce = 128
	namedBytes  = 1 << 20
	readAtOnce  = 2000
)

// nameCallsOf names the calls of an organization by its scenarios. It uses no reserve of a full disk.
func (s *Records) nameCallsOf(ctx context.Context, orgID string, plans map[string]scenario.Scenario) error {
	q := driver.Query{Equal: []any{orgID}, Limit: readAtOnce}
	for more := true; more; {
		var unnamed []string
		err := s.db.Read(ctx, func(tx driver.Tx) error {
			unnamed, more = nil, false
			size, from := 0, q
			return calls.visitAll(tx, from, func(row driver.Row, one record.CallRecord) (bool, error) {
				q.After, more = row.Place, true
				if row.Err == nil && nameCall(&one, plans) {
					unnamed, size = append(unnamed, row.Key[1]), size+len(row.Raw)
				}
				return len(unnamed) < namedAtOnce && size < namedBytes, nil
			})
		})
		if err == nil && len(unnamed) > 0 {
			err = s.db.Update(ctx, func(tx driver.Tx) error { return nameCalls(tx, orgID, unnamed, plans) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nameCalls names some calls of an organization.
func nameCalls(tx driver.Tx, orgID string, ids []string, plans map[string]scenario.Scenario) error {
	for _, id := range ids {
		before, found, err := calls.lockReadable(tx, orgID, id)
		if err != nil {
			return err
		}
		if after := before; found && nameCall(&after, plans) {
			if err := calls.replace(tx, before, after, orgID, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// nameCall sets the variable of a call's name by its scenario; false if it has none, or had it before.
func nameCall(r *record.CallRecord, plans map[string]scenario.Scenario) bool {
	if r.Call.NameVariable != "" {
		return false
	}
	r.Call.NameVariable = plans[r.Call.ScenarioID].NameVariable(r.Call.Variables)
	return r.Call.NameVariable != ""
}
