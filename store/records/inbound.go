package records

import (
	"context"
	"fmt"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/inbound"
	"munadi/store/record"
)

var (
	inboundSettings = declareKind[inbound.Settings](
		driver.Table{Kind: "inbound", Name: "inbound_settings", Key: []string{"org"}}, nil, nil)

	// inboundRoutes are the owners of the routes' numbers, of all organizations.
	inboundRoutes = declareKind[inbound.RouteOwner](
		driver.Table{Kind: "inbound-route", Name: "inbound_routes", Key: []string{"number"}}, nil, nil)
)

// FindInbound implements [store.InboundStore].
func (s *Records) FindInbound(ctx context.Context, orgID string) (inbound.Settings, error) {
	return findSetting(ctx, s, inboundSettings, orgID)
}

// ChangeInbound implements [store.InboundStore].
func (s *Records) ChangeInbound(
	ctx context.Context, orgID, actor string, now time.Time, change func(*inbound.Settings) error,
) (after inbound.Settings, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		if err := tx.LockNames([]string{"inbound-routes"}); err != nil {
			return done, err
		}
		after, err = changeSetting(tx, inboundSettings, orgID, func(kept *inbound.Settings) error {
			before := slices.Clone(kept.Routes)
			if err := change(kept); err != nil {
				return err
			}
			kept.UpdatedAt = now
			return moveRoutes(tx, orgID, before, kept.Routes)
		})
		note := fmt.Sprintf("%d routes", len(after.Routes))
		return audited{orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "inbound.put", Subject: "inbound", Note: note,
		}}, err
	})
	return after, err
}

// moveRoutes makes an organization the owner of its routes' numbers, unless they overlap those of another.
func moveRoutes(tx driver.Tx, orgID string, before, after []inbound.Route) error {
	taken := &inbound.TakenError{}
	err := inboundRoutes.visit(tx, driver.Query{}, func(row driver.Row, owner inbound.RouteOwner) (bool, error) {
		for i, r := range after {
			if owner.OrgID != orgID && inbound.ShareNumbers(r.Number, row.Key[0]) && !slices.Contains(taken.Routes, i) {
				taken.Routes = append(taken.Routes, i)
			}
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	if len(taken.Routes) > 0 {
		slices.Sort(taken.Routes)
		return taken
	}
	for _, r := range before {
		if err := inboundRoutes.remove(tx, inbound.RouteOwner{}, r.Number); err != nil {
			return err
		}
	}
	for _, r := range after {
		if err := inboundRoutes.put(tx, inbound.RouteOwner{OrgID: orgID}, r.Number); err != nil {
			return err
		}
	}
	return nil
}

// FindRoute implements [store.InboundStore].
func (s *Records) FindRoute(ctx context.Context, called string) (match store.InboundMatch, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		for _, number := range inbound.RouteNumbers(called) {
			owner, found, err := inboundRoutes.find(tx, number)
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			match.OrgID = owner.OrgID
			if match.Settings, _, err = inboundSettings.find(tx, owner.OrgID); err != nil {
				return err
			}
			if match.Route, found = match.Settings.FindRoute(number); found {
				return nil
			}
		}
		return store.Errorf(store.CodeNotFound, "no route has this number")
	})
	return match, err
}

// FindLastDial implements [store.InboundStore].
func (s *Records) FindLastDial(ctx context.Context, orgID, number string, since time.Time) (last call.Call, err error) {
	found := false
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		return calls.visit(tx, driver.Query{
			Index: callsByDial, Equal: []any{orgID, number}, Latest: true,
			Where: []driver.Condition{{Column: "released", Op: driver.AtLeast, Value: record.UnixNanos(since)}},
		}, func(_ driver.Row, r record.CallRecord) (bool, error) {
			last, found = r.Call, !r.Call.IsCallBack()
			return !found, nil
		})
	})
	if err == nil && !found {
		err = store.Errorf(store.CodeNotFound, "the number was not called")
	}
	return last, err
}

// FindFollowed implements [store.InboundStore].
func (s *Records) FindFollowed(ctx context.Context, c call.Call) (followed *call.FollowedCall, err error) {
	if c.Way() != call.Inbound || c.Attempt.PreviousID == nil {
		return nil, nil
	}
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		before, found, err := calls.find(tx, c.OrgID, *c.Attempt.PreviousID)
		if err != nil || !found {
			return store.IgnoreMissing(err)
		}
		followed = &call.FollowedCall{DialledAt: before.Call.ReleasedAt, Talk: before.Call}
		if c.PhoneNumber == "" || before.Call.PhoneNumber != c.PhoneNumber {
			return nil
		}
		return calls.visit(tx, driver.Query{
			Index: callsByNumber, Equal: []any{c.OrgID, c.PhoneNumber}, Latest: true,
			Where: []driver.Condition{
				{Column: "direction", Value: string(call.Inbound)},
				{Column: "made", Op: driver.AtLeast, Value: record.UnixNanos(before.Call.CreatedAt)},
				{Column: "made", Op: driver.Below, Value: record.UnixNanos(c.CreatedAt)},
			},
		}, func(_ driver.Row, r record.CallRecord) (bool, error) {
			previous := r.Call.Attempt.PreviousID
			last := previous != nil && *previous == before.Call.ID && r.Call.IsConversation()
			if last {
				followed.Talk = r.Call
			}
			return !last, nil
		})
	})
	return followed, err
}

// ReceiveCall implements [store.InboundStore].
func (s *Records) ReceiveCall(
	ctx context.Context, c call.Call, how store.Reception, now time.Time,
) (received call.Call, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) error {
		if err := tx.CheckLease(); err != nil {
			return err
		}
		if err := needInboundLine(tx, c, how.Lines); err != nil {
			return err
		}
		r := record.CallRecord{Call: c}
		if how.Closed {
			r.Call.CampaignID = ""
		}
		before, err := findFollowed(tx, &r)
		received = r.Call
		if err != nil {
			return err
		}
		// It is counted before what it replaces is cancelled, so that the campaign does not finish in between.
		if err := bookCall(tx, r, record.ByCaller); err != nil || before == nil || how.Closed {
			return err
		}
		return followUpCall(tx, r, *before, now)
	})
	return received, err
}

// needInboundLine refuses a call for which the route, or the organization, has no line.
func needInboundLine(tx driver.Tx, c call.Call, lines *int) error {
	own, err := linesOf(tx, c.OrgID)
	if err == nil {
		err = own.needOne()
	}
	if err != nil || lines == nil {
		return err
	}
	if err := tx.LockNames(linesName(c.OrgID)); err != nil {
		return err
	}
	taken := 0
	err = calls.visit(tx, driver.Query{
		Index: callsRunning, Equal: []any{c.OrgID},
		Where: []driver.Condition{{Column: "direction", Value: string(call.Inbound)}},
	}, func(_ driver.Row, r record.CallRecord) (bool, error) {
		if r.Call.Route == c.Route {
			taken++
		}
		return true, nil
	})
	if err == nil && taken >= *lines {
		err = store.Errorf(store.CodeConflict, "the route has %d running calls, its maximum", taken)
	}
	return err
}

// findFollowed locks the call that the caller of r follows up, nil without one, and appends r to the calls of its
// campaign to and from them. A previous call that was erased meanwhile is forgotten.
func findFollowed(tx driver.Tx, r *record.CallRecord) (*record.CallRecord, error) {
	c := &r.Call
	if c.Attempt.PreviousID == nil {
		return nil, nil
	}
	before, found, err := calls.lockReadable(tx, c.OrgID, *c.Attempt.PreviousID)
	if err != nil {
		return nil, err
	}
	if !found || before.Erase || before.Call.PhoneNumber != c.PhoneNumber {
		c.Attempt.PreviousID, c.Variables, c.Metadata, c.CampaignID = nil, nil, nil, ""
		return nil, nil
	}
	if c.CampaignID == "" {
		return &before, nil
	}
	decider, last, err := findDecider(tx, *r)
	if decider != nil {
		r.Earlier, r.Superseded = last.Call.ID, decider.IsSuperseding()
	}
	return &before, err
}

// followUpCall cancels what is booked for the caller of r, and passes the decision in the campaign to r: of a person
// who was not reached, the last call decides. A call that is on the line now gets no retry, nor does a retry that was
// dialled since the call before was found.
func followUpCall(tx driver.Tx, r, before record.CallRecord, now time.Time) error {
	var err error
	for next := &before; next != nil && err == nil; {
		next, err = stopRetry(tx, r.Call.ID, *next, now)
	}
	if err != nil || r.Earlier == "" {
		return err
	}
	return changeFollowed(tx, r.Call.OrgID, r.Earlier, now, func(last *record.CallRecord) { last.Later = r.Call.ID })
}

// stopRetry cancels the retry that is booked for a call to a person whose call id comes in; one that runs gets none. It
// returns the retry that has been dialled already, nil without one.
func stopRetry(tx driver.Tx, id string, before record.CallRecord, now time.Time) (*record.CallRecord, error) {
	next := before.Call.Attempt.NextID
	switch {
	case before.Call.Way() == call.Inbound:
		return nil, nil
	case next != nil:
		if err := changeFollowed(tx, before.Call.OrgID, *next, now, nil); err != nil {
			return nil, err
		}
		dialled, found, err := calls.lockReadable(tx, before.Call.OrgID, *next)
		if err != nil || !found || dialled.Call.Status == call.Cancelled {
			return nil, err
		}
		return &dialled, nil
	case before.Call.Status.IsRunning():
		after := before
		after.Call.Attempt.NextID = &id
		return nil, saveCall(tx, &before, after)
	}
	return nil, nil
}

// changeFollowed applies a change, if there is one, to a call that an inbound one follows, and cancels it if it is
// booked.
func changeFollowed(tx driver.Tx, orgID, id string, now time.Time, change func(*record.CallRecord)) error {
	before, found, err := calls.lockReadable(tx, orgID, id)
	if err != nil || !found {
		return err
	}
	after := before
	if change != nil {
		change(&after)
	}
	if before.Call.Status == call.Scheduled {
		if err := cancelCall(tx, &after, record.ByCaller, now); err != nil {
			return err
		}
	} else if change == nil {
		return nil
	}
	return saveCall(tx, &before, after)
}
