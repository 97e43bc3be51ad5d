package badger

import (
	"encoding/json"
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/record"
	"munadi/store/records"
)

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
		return eachRecord(v, joinPrefix("campaign"), "", func(_ string, c campaign.Campaign) (bool, error) {
			found, err := v.getRecord(joinKey("campaign-tally", c.OrgID, c.ID), &c.Tally)
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
	var entries []indexEntry
	var marked []record.CallRecord
	err := db.View(func(txn *badgerdb.Txn) error {
		e := writeTx{snapshotView{txn: txn, lost: lost}, &changeSet{}}
		calls, err := records.ListCampaignCalls(e, c.OrgID, c.ID)
		marked = record.MarkSuperseded(calls)
		answers := c.Tally.Answers
		if c.Tally = record.TallyCampaign(calls); !c.damaged {
			c.Tally.Answers = answers
		}
		for _, r := range calls {
			entries = append(entries, personEntriesOf(r)...)
		}
		return err
	})
	if err == nil {
		err = replacePersonEntries(db, c.Campaign, entries)
	}
	for _, r := range marked {
		if err == nil {
			err = setRecord(db, joinKey("call", c.OrgID, r.Call.ID), r)
		}
	}
	if err != nil {
		return err
	}
	return setRecord(db, joinKey("campaign-tally", c.OrgID, c.ID), c.Tally)
}

// setRecord writes one record, while the database is being opened.
func setRecord(db *badgerdb.DB, key []byte, record any) error {
	value, err := json.Marshal(record)
	if err != nil {
		return err
	}
	return db.Update(func(txn *badgerdb.Txn) error { return txn.Set(key, value) })
}

// personKinds are the kinds of index entries of people.
var personKinds = []string{"call-person", "call-person-when"}

// personEntriesOf returns the index entries of a call that decides for a person of its campaign.
func personEntriesOf(r record.CallRecord) []indexEntry {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil
	}
	entries, _ := tableEntries(declaredTables["call"], []string{r.Call.OrgID, r.Call.ID}, raw)
	return slices.DeleteFunc(entries, func(n indexEntry) bool {
		return !slices.Contains(personKinds, splitKey(string(n.key), 2)[0])
	})
}

// replacePersonEntries replaces the index entries of a campaign's people.
func replacePersonEntries(db *badgerdb.DB, c campaign.Campaign, entries []indexEntry) error {
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		for _, kind := range personKinds {
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
	for _, n := range entries {
		if err == nil {
			err = batch.Set(n.key, []byte{})
		}
	}
	if err != nil {
		return err
	}
	return batch.Flush()
}
