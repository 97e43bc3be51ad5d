package badger

import (
	"slices"

	"munadi/store/call"
	"munadi/store/record"
)

// callRecord is [record.CallRecord] with its index entries.
type callRecord record.CallRecord

// findCall returns an organization's call without its messages.
func findCall(e writeTx, orgID, id string) (callRecord, error) {
	var r callRecord
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return r, record.NoCall(id)
	}
	found, err := e.getRecord(joinKey(kindCall, orgID, id), &r)
	if err == nil && !found {
		return r, record.NoCall(id)
	}
	return r, err
}

// saveCall writes a changed call: record, messages, indexes and its campaign's counts. before is nil for a new call.
// Messages are written when there are any, and deleted when the record no longer has any.
func (e writeTx) saveCall(before *callRecord, after callRecord) error {
	c := after.Call
	if len(c.Messages) > 0 {
		after.Words = true
		e.putRecord(joinKey(kindCallWords, c.OrgID, c.ID), c.Messages)
	}
	after.Call.Messages = nil
	var old []indexEntry
	if before != nil {
		old = before.indexEntries()
		if before.Words && !after.Words {
			e.deleteKey(joinKey(kindCallWords, c.OrgID, c.ID))
		}
	}
	e.putRecord(joinKey(kindCall, c.OrgID, c.ID), after)
	e.updateIndex(old, after.indexEntries())
	if err := e.tallyDialTime(before, after); err != nil {
		return err
	}
	return e.tallyCall(before, after)
}

// indexEntries returns all index entries of a call; they are derived from the record alone.
func (r callRecord) indexEntries() []indexEntry {
	c := r.Call
	made, due := encodeTime(c.CreatedAt), encodeTime(c.ScheduledAt)
	keys := [][]byte{
		joinKey(kindCallStatus, c.OrgID, string(c.Status), made, c.ID),
		joinKey(kindCallStatusWhen, c.OrgID, string(c.Status), due, made, c.ID),
		joinKey(kindCallScenario, c.OrgID, c.ScenarioID, made, c.ID),
		joinKey(kindCallScenarioWhen, c.OrgID, c.ScenarioID, due, made, c.ID),
	}
	keys = slices.Concat(keys, r.filterKeys(), r.personEntries(), r.workKeys())
	facts := factsOf(c).encode()
	entries := []indexEntry{
		{joinKey(kindCallMade, c.OrgID, made, c.ID), facts}, {joinKey(kindCallWhen, c.OrgID, due, made, c.ID), facts},
	}
	if c.PhoneNumber != "" {
		tail := joinKey(kindCallTail, c.OrgID, reverseDigits(c.PhoneNumber), made, c.ID)
		entries = append(entries, indexEntry{tail, []byte(due)})
	}
	for _, k := range keys {
		entries = append(entries, indexEntry{key: k})
	}
	return entries
}

// filterKeys returns the keys in the lists of calls that staff ended, that need a person or that belong to a campaign,
// and in those by dialled number and by answer.
func (r callRecord) filterKeys() (keys [][]byte) {
	c := r.Call
	made, due := encodeTime(c.CreatedAt), encodeTime(c.ScheduledAt)
	if c.EndedBy == call.ByOperator {
		keys = append(keys, joinKey(kindCallStopped, c.OrgID, made, c.ID),
			joinKey(kindCallStoppedWhen, c.OrgID, due, made, c.ID))
	}
	if c.Need.IsOpen() {
		keys = append(keys, joinKey(kindCallNeed, c.OrgID, made, c.ID), joinKey(kindCallNeedWhen, c.OrgID, due, made, c.ID))
	}
	if c.CampaignID != "" {
		keys = append(keys, joinKey(kindCallCampaign, c.OrgID, c.CampaignID, made, c.ID),
			joinKey(kindCallCampaignWhen, c.OrgID, c.CampaignID, due, made, c.ID))
	}
	if c.PhoneNumber != "" && c.ReleasedAt != nil {
		keys = append(keys, joinKey(kindCallDial, c.OrgID, c.PhoneNumber, encodeTime(*c.ReleasedAt), c.ID))
	}
	for slot, value := range call.ReportAnswers(c.CurrentReport()) {
		if isKeyPart(slot) {
			keys = append(keys, append(answerIndex(c.OrgID, slot, value), joinKey(due, made, c.ID)...))
		}
	}
	return keys
}

// workKeys returns the keys by which background work finds a call: when it is due, while it runs, and for as long as
// its recording or its words are kept.
func (r callRecord) workKeys() (keys [][]byte) {
	c := r.Call
	switch {
	case c.Status == call.Scheduled:
		keys = append(keys, r.dueEntry())
	case c.Status.IsRunning():
		keys = append(keys, joinKey(kindCallRunning, c.OrgID, c.ID))
	case c.EndedAt != nil:
		if c.Recording != "" {
			keys = append(keys, joinKey(kindCallSound, c.OrgID, encodeTime(*c.EndedAt), c.ID))
		}
		if record.CallRecord(r).HasWords() {
			keys = append(keys, joinKey(kindCallWorded, c.OrgID, encodeTime(*c.EndedAt), c.ID))
		}
	}
	return keys
}

// personEntries returns the index entries of a call that decides for a person of its campaign.
func (r callRecord) personEntries() [][]byte {
	c, group := r.Call, string(record.CallRecord(r).PersonGroup())
	if group == "" {
		return nil
	}
	made, due := encodeTime(c.CreatedAt), encodeTime(c.ScheduledAt)
	return [][]byte{
		joinKey(kindCallPerson, c.OrgID, c.CampaignID, group, made, c.ID),
		joinKey(kindCallPersonWhen, c.OrgID, c.CampaignID, group, due, made, c.ID),
	}
}

// dueEntry returns the index entry of a scheduled call, in the queue of its organization or, for a call of a
// campaign, of its campaign; nil for another call.
func (r callRecord) dueEntry() []byte {
	c := r.Call
	if c.Status != call.Scheduled {
		return nil
	}
	due, made := encodeTime(c.ScheduledAt), encodeTime(c.CreatedAt)
	if c.CampaignID != "" {
		return joinKey(kindCampaignDue, c.OrgID, c.CampaignID, due, made, c.ID)
	}
	return joinKey(kindCallDue, c.OrgID, due, made, c.ID)
}
