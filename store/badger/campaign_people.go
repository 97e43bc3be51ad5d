package badger

import (
	"encoding/json"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/record"
)

// supersedeEarlierCall makes a call that has reached its person the deciding one, instead of the earlier one: after a
// requested call back, the later answers count.
func (e writeTx) supersedeEarlierCall(r *callRecord) error {
	if !record.CallRecord(*r).TakesOver() {
		return nil
	}
	r.Superseded = false
	for id := r.Call.Attempt.PreviousID; id != nil; {
		before, err := findCall(e, r.Call.OrgID, *id)
		if err != nil {
			return ignoreMissing(err)
		}
		if !before.Superseded {
			after := before
			after.Superseded = true
			return e.saveCall(&before, after)
		}
		id = before.Call.Attempt.PreviousID
	}
	return nil
}

// uncountedCampaign is a campaign without counters: as an older version wrote it, or with damaged ones.
type uncountedCampaign struct {
	campaign.Campaign
	damaged bool
}

// countPeople computes, when the database is opened, the counters of campaigns without them: written by an older
// version, or damaged. The index entries of people are rebuilt from their calls.
func countPeople(db *badgerdb.DB, lost *unreadableRecords) error {
	var uncounted []uncountedCampaign
	err := db.View(func(txn *badgerdb.Txn) error {
		v := snapshotView{txn: txn, lost: lost}
		return eachRecord(v, joinPrefix(kindCampaign), "", func(_ string, c campaign.Campaign) (bool, error) {
			found, err := v.getRecord(joinKey(kindCampaignTally, c.OrgID, c.ID), &c.Tally)
			if unreadable := store.IsUnreadable(err); unreadable || err == nil && (!found || c.Tally.People == nil) {
				uncounted = append(uncounted, uncountedCampaign{c, unreadable})
				err = nil
			}
			return err == nil, err
		})
	})
	for _, c := range uncounted {
		if err == nil {
			err = countCampaign(db, lost, c)
		}
	}
	return err
}

// countCampaign computes the counters of a campaign from its calls; the counted answers of its calls stay, since they
// outlive reports. The counters are written last, so that an interrupted computation is repeated.
func countCampaign(db *badgerdb.DB, lost *unreadableRecords, c uncountedCampaign) error {
	var entries [][]byte
	var marked []record.CallRecord
	err := db.View(func(txn *badgerdb.Txn) error {
		calls, err := campaignRecords(snapshotView{txn: txn, lost: lost}, c.OrgID, c.ID)
		marked = record.MarkSuperseded(calls)
		answers := c.Tally.Answers
		if c.Tally = record.TallyCampaign(calls); !c.damaged {
			c.Tally.Answers = answers
		}
		for _, r := range calls {
			entries = append(entries, callRecord(r).personEntries()...)
		}
		return err
	})
	if err == nil {
		err = replacePersonEntries(db, c.Campaign, entries)
	}
	for _, r := range marked {
		if err == nil {
			err = setRecord(db, joinKey(kindCall, c.OrgID, r.Call.ID), r)
		}
	}
	if err != nil {
		return err
	}
	return setRecord(db, joinKey(kindCampaignTally, c.OrgID, c.ID), c.Tally)
}

// setRecord writes one record, while the database is being opened.
func setRecord(db *badgerdb.DB, key []byte, record any) error {
	value, err := json.Marshal(record)
	if err != nil {
		return err
	}
	return db.Update(func(txn *badgerdb.Txn) error { return txn.Set(key, value) })
}

// campaignRecords returns all calls of a campaign that can be read.
func campaignRecords(v snapshotView, orgID, id string) (calls []record.CallRecord, err error) {
	v.visitKeys(joinPrefix(kindCallCampaign, orgID, id), func(place string) bool {
		var r callRecord
		if r, err = findCall(writeTx{v, &changeSet{}}, orgID, lastPart(place)); err == nil {
			calls = append(calls, record.CallRecord(r))
		}
		err = ignoreMissing(err)
		return err == nil
	})
	return calls, err
}

// replacePersonEntries replaces the index entries of a campaign's people.
func replacePersonEntries(db *badgerdb.DB, c campaign.Campaign, entries [][]byte) error {
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		for _, kind := range []string{kindCallPerson, kindCallPersonWhen} {
			index := joinPrefix(kind, c.OrgID, c.ID)
			snapshotView{txn: txn}.visitKeys(index, func(rest string) bool {
				err = batch.Delete(append(index[:len(index):len(index)], rest...))
				return err == nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	for _, key := range entries {
		if err == nil {
			err = batch.Set(key, []byte{})
		}
	}
	if err != nil {
		return err
	}
	return batch.Flush()
}
