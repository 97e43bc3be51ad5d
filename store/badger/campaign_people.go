package badger

import (
	"encoding/json"

	badgerdb "github.com/dgraph-io/badger/v4"

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

// countPeople computes, when the database is opened, the counters of campaigns without them: written by an older
// version, or damaged. The index entries of people are rebuilt from their calls.
func countPeople(db *badgerdb.DB, lost *unreadableRecords) error {
	var uncounted []campaign.Campaign
	err := db.View(func(txn *badgerdb.Txn) error {
		v := snapshotView{txn, lost}
		_, err := eachRecord(v, joinPrefix(kindCampaign), "", func(_ string, c campaign.Campaign) (bool, error) {
			_, err := v.getRecord(joinKey(kindCampaignTally, c.OrgID, c.ID), &c.Tally)
			if err = ignoreMissing(err); err == nil && c.Tally.People == nil {
				uncounted = append(uncounted, c)
			}
			return err == nil, err
		})
		return err
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
func countCampaign(db *badgerdb.DB, lost *unreadableRecords, c campaign.Campaign) error {
	var entries [][]byte
	var marked []record.CallRecord
	err := db.View(func(txn *badgerdb.Txn) error {
		calls, err := campaignRecords(snapshotView{txn, lost}, c)
		marked = record.MarkSuperseded(calls)
		c.Tally.Counts, c.Tally.People = record.CountStatuses(calls), record.CountPeople(calls)
		for _, r := range calls {
			entries = append(entries, callRecord(r).personEntries()...)
		}
		return err
	})
	if err == nil {
		err = replacePersonEntries(db, c, entries)
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
func campaignRecords(v snapshotView, c campaign.Campaign) (calls []record.CallRecord, err error) {
	v.visitKeys(joinPrefix(kindCallCampaign, c.OrgID, c.ID), func(place string) bool {
		var r callRecord
		if r, err = findCall(writeTx{v, &changeSet{}}, c.OrgID, lastPart(place)); err == nil {
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
