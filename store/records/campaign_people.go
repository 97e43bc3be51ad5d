package records

import (
	"maps"
	"reflect"
	"slices"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/driver"
	"munadi/store/record"
)

// countInCampaign updates the counters of a call's campaign before the call is written: calls, answers of ended calls,
// and people. The end of its last call finishes the campaign. A call that joins a campaign is a new one of it.
func countInCampaign(tx driver.Tx, before *record.CallRecord, after record.CallRecord) error {
	c := after.Call
	if before != nil && before.Call.CampaignID != c.CampaignID {
		before = nil
	}
	moved := before == nil || before.Call.Status != c.Status
	if c.CampaignID == "" || !moved && !record.MovesPerson(before, after) {
		return nil
	}
	tally, err := lockTally(tx, c.OrgID, c.CampaignID)
	if err != nil {
		return err
	}
	record.MovePerson(&tally, before, after)
	if moved {
		record.MoveCall(&tally, before, c)
	}
	if err := campaignTallies.put(tx, tally, c.OrgID, c.CampaignID); err != nil || !moved || tally.HasLiveCalls() {
		return err
	}
	owner, found, err := campaigns.find(tx, c.OrgID, c.CampaignID)
	if err != nil || !found {
		return store.IgnoreMissing(err)
	}
	owner.Tally = tally
	at := c.CreatedAt
	if c.EndedAt != nil {
		at = *c.EndedAt
	}
	return saveCampaign(tx, owner, at)
}

// lockTally locks a campaign, if it can be read, and returns its counters.
func lockTally(tx driver.Tx, orgID, id string) (tally campaign.CampaignTally, err error) {
	if _, _, err := tx.Get(campaigns.Table, []string{orgID, id}, driver.RowLock); store.IgnoreMissing(err) != nil {
		return tally, err
	}
	return tallyOf(tx, orgID, id)
}

// tallyOf returns the counters of a campaign. Damaged ones are computed from its calls.
func tallyOf(tx driver.Tx, orgID, id string) (campaign.CampaignTally, error) {
	tally, _, err := campaignTallies.find(tx, orgID, id)
	if !store.IsUnreadable(err) {
		return tally, err
	}
	all, err := ListCampaignCalls(tx, orgID, id)
	return record.TallyCampaign(all), err
}

// ListCampaignCalls returns all calls of a campaign that can be read.
func ListCampaignCalls(tx driver.Tx, orgID, id string) ([]record.CallRecord, error) {
	return calls.list(tx, driver.Query{Index: calls.indexOf("call-campaign"), Equal: []any{orgID, id}})
}

// CountPeople computes the counters of a campaign whose people an older version has not counted, and returns its calls;
// none if another appliance has done so. The counted answers of its calls stay, since they outlive reports. The calls
// whose deciding call changes are written; the driver brings the other ones' columns and entries up to date.
func CountPeople(tx driver.Tx, orgID, id string) ([]record.CallRecord, error) {
	if _, found, err := campaigns.lockReadable(tx, orgID, id); err != nil || !found {
		return nil, err
	}
	tally, _, err := campaignTallies.find(tx, orgID, id)
	damaged := store.IsUnreadable(err)
	if err != nil && !damaged || err == nil && tally.People != nil {
		return nil, err
	}
	all, err := ListCampaignCalls(tx, orgID, id)
	if err != nil {
		return nil, err
	}
	for _, r := range record.MarkSuperseded(all) {
		if err := calls.put(tx, r, orgID, r.Call.ID); err != nil {
			return nil, err
		}
	}
	if damaged {
		tally = record.TallyCampaign(all)
	} else {
		tally.Counts, tally.People = record.CountStatuses(all), record.CountPeople(all)
	}
	return all, campaignTallies.put(tx, tally, orgID, id)
}

// isDeciding is the condition of the call that decides for a person of a campaign.
var isDeciding = driver.Condition{Column: "person", Op: driver.IsNot, Value: ""}

// supersedeEarlierCall makes a call that has reached its person the deciding one, instead of the earlier one: after a
// requested call back, the later answers count.
func supersedeEarlierCall(tx driver.Tx, r *record.CallRecord) error {
	if !r.TakesOver() {
		return nil
	}
	r.Superseded = false
	if r.Call.CampaignID == "" {
		return nil
	}
	for id := r.EarlierID(); id != nil; {
		before, found, err := calls.lockReadable(tx, r.Call.OrgID, *id)
		if err != nil {
			return err
		}
		if !found {
			break
		}
		if before.PersonGroup() != "" {
			return supersedeCall(tx, before)
		}
		id = before.EarlierID()
	}
	later, err := listLater(tx, *r)
	for _, one := range later {
		if r.Superseded = one.PersonGroup() != ""; r.Superseded {
			return err
		}
	}
	if err != nil {
		return err
	}
	// After a call was reopened the deciding one may be in another retry chain.
	return eachOfPerson(tx, *r, isDeciding, func(tx driver.Tx, one record.CallRecord) error {
		if r.Superseded = one.Call.CreatedAt.After(r.Call.CreatedAt); r.Superseded {
			return nil
		}
		return supersedeCall(tx, one)
	})
}

// supersedeCall marks a call as no longer the deciding one.
func supersedeCall(tx driver.Tx, before record.CallRecord) error {
	after := before
	after.Superseded = true
	return saveCall(tx, &before, after)
}

// supersedeLater updates the deciding call of a person after a call has reached them that another one has followed
// already, since it was reopened or they called back meanwhile: it is the last one that reached them.
func supersedeLater(tx driver.Tx, r *record.CallRecord) error {
	if r.Call.CampaignID == "" || !campaign.HasReached(r.Call) {
		return nil
	}
	later, err := listLater(tx, *r)
	for _, one := range later {
		r.Superseded = r.Superseded || one.DecidesOver(*r)
	}
	for _, before := range later {
		if err == nil && !r.Superseded && !before.Superseded {
			err = supersedeCall(tx, before)
		}
	}
	return err
}

// listLater locks the calls of the campaign to and from the person of r that came after it.
func listLater(tx driver.Tx, r record.CallRecord) (later []record.CallRecord, err error) {
	last := r
	for id := r.LaterID(); id != nil; id = last.LaterID() {
		one, found, err := calls.lockReadable(tx, r.Call.OrgID, *id)
		if err != nil {
			return later, err
		}
		if !found || one.Call.CampaignID != r.Call.CampaignID {
			break
		}
		later, last = append(later, one), one
	}
	if !last.Followed || r.Call.PhoneNumber == "" {
		return later, nil
	}
	since := driver.Condition{Column: "made", Op: driver.AtLeast, Value: record.UnixNanos(last.Call.CreatedAt)}
	return later, eachOfPerson(tx, r, since, func(_ driver.Tx, one record.CallRecord) error {
		if !slices.ContainsFunc(later, func(known record.CallRecord) bool { return known.Call.ID == one.Call.ID }) {
			later = append(later, one)
		}
		return nil
	})
}

// findDecider locks the call that decides for the person of r in its campaign, and the last call to or from them; nil
// without one.
func findDecider(tx driver.Tx, r record.CallRecord) (decider *record.CallRecord, last record.CallRecord, err error) {
	err = eachOfPerson(tx, r, isDeciding, func(_ driver.Tx, one record.CallRecord) error {
		decider, last = &one, one
		return nil
	})
	if err != nil || decider == nil {
		return nil, last, err
	}
	later, err := listLater(tx, *decider)
	if len(later) > 0 {
		last = later[len(later)-1]
	}
	return decider, last, err
}

// joinCampaign makes a call-back that has reached the person of a campaign's call a further call of the campaign,
// without answers, which counts when it is written: see [record.CallRecord.DecidesOver]. One whose person was erased
// meanwhile is not counted.
func joinCampaign(tx driver.Tx, r *record.CallRecord) error {
	of, err := findCalledBack(tx, r.Call)
	if err != nil || of == nil || of.Call.CampaignID == "" || r.Call.CampaignID != "" || r.Erase {
		return err
	}
	c := &r.Call
	c.CampaignID, c.Variables, c.Metadata = of.Call.CampaignID, of.Call.Variables, of.Call.Metadata
	decider, last, err := findDecider(tx, *r)
	if err != nil {
		return err
	}
	if decider == nil {
		return nil
	}
	r.Earlier = last.Call.ID
	linked := last
	linked.Later = c.ID
	if reached := campaign.HasReached(decider.Call); reached && !r.DecidesOver(*decider) {
		r.Superseded = true
	} else if reached && last.Call.ID == decider.Call.ID {
		linked.Superseded = true
	} else if reached {
		if err := supersedeCall(tx, *decider); err != nil {
			return err
		}
	}
	return saveCall(tx, &last, linked)
}

// findCalledBack locks the call that staff called back for in c, also where they did so for an earlier call-back; nil
// if c is no call-back that has reached its person, or if that call or its person are gone.
func findCalledBack(tx driver.Tx, c call.Call) (of *record.CallRecord, err error) {
	if !c.IsCallBack() || c.Status != call.Completed {
		return nil, nil
	}
	for id := c.Attempt.PreviousID; id != nil; {
		one, found, err := calls.lockReadable(tx, c.OrgID, *id)
		if err != nil || !found || one.Call.PhoneNumber != c.PhoneNumber {
			return nil, store.IgnoreMissing(err)
		}
		if !one.Call.IsCallBack() {
			return &one, nil
		}
		id = one.Call.Attempt.PreviousID
	}
	return nil, nil
}

// eachOfPerson locks the other calls of the campaign to the person of r that meet a condition, and calls f with each.
// People who share a number differ in what is known of them, which all calls to a person have in common.
func eachOfPerson(
	tx driver.Tx, r record.CallRecord, which driver.Condition, f func(driver.Tx, record.CallRecord) error,
) error {
	c := r.Call
	q := driver.Query{
		Index: callsByNumber, Equal: []any{c.OrgID, c.PhoneNumber}, Lock: true,
		Where: []driver.Condition{{Column: "campaign", Value: c.CampaignID}, which},
	}
	return calls.visit(tx, q, func(_ driver.Row, one record.CallRecord) (bool, error) {
		if one.Call.ID == c.ID || !reflect.DeepEqual(one.Call.Variables, c.Variables) ||
			!maps.Equal(one.Call.Metadata, c.Metadata) {
			return true, nil
		}
		return true, f(tx, one)
	})
}

// needOpenCampaign refuses a call whose campaign is not running.
func needOpenCampaign(tx driver.Tx, c call.Call) error {
	if c.CampaignID == "" {
		return nil
	}
	owner, found, err := campaigns.get(tx, driver.RowLock, []string{c.OrgID, c.CampaignID})
	if err != nil || !found {
		return err
	}
	return record.CheckDialling(owner)
}

// campaignAllows reports whether the campaign of a planned retry, if it has one, still books retries at its dial time.
func campaignAllows(tx driver.Tx, next call.Call) (bool, error) {
	if next.CampaignID == "" {
		return true, nil
	}
	owner, found, err := campaigns.lockReadable(tx, next.OrgID, next.CampaignID)
	return !found || owner.AllowsRetry(next.ScheduledAt), err
}
