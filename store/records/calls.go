package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

// Conditions of the calls in the indexes of work.
var (
	isScheduled = driver.Condition{Column: "status", Value: string(call.Scheduled)}
	isRunning   = driver.Condition{
		Column: "status", Op: driver.OneOf, Value: []any{string(call.Dialing), string(call.InProgress)},
	}
	// hasFailed is what SQL stores of a call in a queue that cannot be read: nobody dials it any more.
	hasFailed = &driver.Condition{Column: "status", Value: string(call.Failed)}
)

// The queues of scheduled calls: of an organization, and of a campaign; the running calls; and the calls that hold
// recordings and texts, by their end.
var (
	callsDue = &driver.Index{
		Kind: "call-due", Parts: []string{"org", "due", "made", "id"}, Partition: 1, Queue: true,
		Only: []driver.Condition{isScheduled, {Column: "campaign", Value: ""}}, Droppable: true, Dropped: hasFailed,
	}
	campaignCallsDue = &driver.Index{
		Kind: "campaign-due", Parts: []string{"org", "campaign", "due", "made", "id"}, Partition: 2, Queue: true,
		Only: []driver.Condition{isScheduled}, Droppable: true, Dropped: hasFailed,
	}
	callsRunning = &driver.Index{
		Kind: "call-running", Parts: []string{"org", "id"}, Queue: true,
		Only: []driver.Condition{isRunning}, Droppable: true, Dropped: hasFailed,
	}
	callsWithSound = &driver.Index{
		Kind: "call-sound", Parts: []string{"org", "ended", "id"}, Queue: true,
		Only:      []driver.Condition{{Column: "sound", Value: true}},
		Droppable: true, Dropped: &driver.Condition{Column: "sound", Value: false},
	}
	callsWithWords = &driver.Index{
		Kind: "call-worded", Parts: []string{"org", "ended", "id"}, Queue: true,
		Only:      []driver.Condition{{Column: "worded", Value: true}},
		Droppable: true, Dropped: &driver.Condition{Column: "worded", Value: false},
	}
)

// The orders of lists, by creation and by dial time, each with the columns that filters compare; by number; by each
// word of the person's name; by dial; of those that a person must follow up, by the time of their mark.
var (
	callFacts = []string{"status", "ended_by", "scenario", "campaign", "made", "due", "number"}

	callsByCreation = &driver.Index{Kind: "call-made", Parts: []string{"org", "made", "id"}, Value: callFacts}
	callsByDueTime  = &driver.Index{Kind: "call-when", Parts: []string{"org", "due", "made", "id"}, Value: callFacts}
	callsByNumber   = &driver.Index{
		Kind: "call-tail", Parts: []string{"org", "number", "made", "id"}, Reversed: "number", Value: []string{"due"},
	}
	callsByName = &driver.Index{Kind: "call-name", Parts: []string{"org", "names", "made", "id"}, Value: []string{"due"}}
	callsByDial = &driver.Index{Kind: "call-dial", Parts: []string{"org", "number", "released", "id"}}
	callsByMark = &driver.Index{
		Kind: "call-marked", Parts: []string{"org", "marked", "made", "id"}, Value: []string{"taker"},
		Only: []driver.Condition{{Column: "need", Value: true}},
	}
)

// calls are without their messages, so that reading a call stays cheap.
var calls = declareKind(driver.Table{
	Kind: "call", Name: "calls", Key: []string{"org", "id"},
	Columns: []string{
		"status", "number", "scenario", "campaign", "ended_by", "made", "due",
		"released", "ended", "sound", "worded", "erase", "answers", "need", "person", "direction",
		"names", "marked", "taker",
	},
	Numbers: []string{"made", "due", "released", "ended", "marked"},
	Indexes: append([]*driver.Index{
		callsDue, campaignCallsDue, callsRunning, callsWithSound, callsWithWords, callsByCreation, callsByDueTime,
		{Kind: "call-answer-when", Parts: []string{"org", "answers", "due", "made", "id"}},
		callsByNumber, callsByName, callsByDial, callsByMark,
	}, filterIndexes()...),
	Owned: true, RandomKey: true,
}, callColumns, func(key []string) error { return record.NoCall(key[1]) })

// filterIndexes returns the indexes of the values by which lists are filtered, in both orders of lists; those that
// leave out most calls come first.
func filterIndexes() (all []*driver.Index) {
	for _, order := range []struct {
		suffix string
		parts  []string
	}{{"", []string{"made", "id"}}, {"-when", []string{"due", "made", "id"}}} {
		add := func(kind string, only []driver.Condition, parts ...string) {
			all = append(all, &driver.Index{Kind: kind + order.suffix, Parts: append(parts, order.parts...), Only: only})
		}
		add("call-inbound", []driver.Condition{{Column: "direction", Value: string(call.Inbound)}}, "org")
		add("call-need", []driver.Condition{{Column: "need", Value: true}}, "org")
		add("call-person", nil, "org", "campaign", "person")
		add("call-campaign", nil, "org", "campaign")
		add("call-stopped", []driver.Condition{{Column: "ended_by", Value: string(call.ByOperator)}}, "org")
		add("call-status", nil, "org", "status")
		add("call-scenario", nil, "org", "scenario")
	}
	return all
}

var (
	callWords = declareKind[[]call.Message](driver.Table{
		Kind: "call-words", Name: "call_words", Key: []string{"org", "call"},
	}, nil, nil)
	callLines = declareKind[call.TimelineEntry](driver.Table{
		Kind: "call-line", Name: "call_lines", Key: []string{"org", "call", "rank"}, Numbers: []string{"rank"},
	}, nil, nil)
)

// callColumns returns the columns of a call.
func callColumns(r record.CallRecord) []any {
	c := r.Call
	answers := []driver.Pair{}
	for slot, value := range call.ReportAnswers(c.CountedReport()) {
		if record.IsKeyPart(slot) {
			answers = append(answers, driver.Pair{Name: slot, Value: value})
		}
	}
	marked, taker := int64(0), ""
	if c.Need.IsOpen() {
		marked, taker = record.UnixNanos(c.Need.At), c.Need.TakenBy
	}
	return []any{
		string(c.Status), c.PhoneNumber, c.ScenarioID, c.CampaignID, string(c.EndedBy), record.UnixNanos(c.CreatedAt),
		record.UnixNanos(c.ScheduledAt), optionalNanos(c.ReleasedAt), optionalNanos(c.EndedAt), c.Recording != "",
		r.HasWords(), r.Erase, answers, c.Need.IsOpen(), string(r.PersonGroup()),
		string(c.Way()), append([]string{}, call.NameWords(c.PersonName())...), marked, taker,
	}
}

// optionalNanos is [record.UnixNanos] of an optional time.
func optionalNanos(t *time.Time) any {
	if t == nil {
		return nil
	}
	return record.UnixNanos(*t)
}

// partOf returns the first part of the key of a call: the organization, or of a trial a part of it that no list, queue
// or counter of its calls reads.
func partOf(orgID, id string) string {
	if call.IsTrialID(id) {
		return trialsOf(orgID)
	}
	return orgID
}

// trialsOf is the part of an organization that holds its trials. No id of an organization has a ~.
func trialsOf(orgID string) string { return orgID + "~trials" }

// BookCall implements [store.CallStore].
func (s *Records) BookCall(
	ctx context.Context, c call.Call, actor string, once *store.IdempotencyReceipt,
) (receipt store.IdempotencyReceipt, err error) {
	err = s.change(ctx, func(tx driver.Tx) (audited, error) {
		r := record.CallRecord{Call: c}
		receipt = store.IdempotencyReceipt{CallID: c.ID, MadeAt: c.CreatedAt}
		if once != nil {
			first, err := claimReceipt(tx, c.OrgID, *once)
			if err != nil || first != nil {
				if first != nil {
					receipt = *first
				}
				return audited{}, err
			}
			receipt = *once
			receipt.CallID, r.Receipt = c.ID, record.ReceiptName(once.Key)
		}
		if err := bookCall(tx, r, actor); err != nil {
			return audited{}, err
		}
		entry := store.AuditEntry{At: c.CreatedAt, Actor: actor, Action: "call.create", Subject: c.ID, Note: c.ScenarioID}
		if once == nil {
			return audited{c.OrgID, entry}, nil
		}
		return audited{c.OrgID, entry}, receipts.put(tx, receipt, c.OrgID, r.Receipt)
	})
	return receipt, err
}

// bookCall writes a new call with the first line of its timeline.
func bookCall(tx driver.Tx, r record.CallRecord, actor string) error {
	c := r.Call
	if err := record.CheckCall(c); err != nil {
		return err
	}
	if err := needOrganization(tx, c.OrgID); err != nil {
		return err
	}
	line := call.TimelineEntry{At: c.CreatedAt, Event: "booked", Actor: actor, Note: string(c.Booking)}
	if c.Trial {
		line.Event, line.Note = "tried", ""
	} else if c.Way() == call.Inbound {
		line.Event, line.Note = "received", ""
	}
	if err := addLine(tx, &r, line); err != nil {
		return err
	}
	tx.Announce(store.CallsChanged)
	return saveCall(tx, nil, r)
}

// addLine appends an event to a call's timeline. Entries are numbered within the call, so that none overwrites another
// and their order does not depend on the clock.
func addLine(tx driver.Tx, r *record.CallRecord, line call.TimelineEntry) error {
	r.Lines++
	return callLines.put(tx, line, partOf(r.Call.OrgID, r.Call.ID), r.Call.ID, record.EncodeRank(r.Lines))
}

// saveCall writes a changed call: record, messages, counters, and its events. before is nil for a new call. Messages
// are written when there are any, and deleted when the record no longer has any.
func saveCall(tx driver.Tx, before *record.CallRecord, after record.CallRecord) error {
	c, part := after.Call, partOf(after.Call.OrgID, after.Call.ID)
	if !c.Trial {
		if err := raiseCallEvents(tx, before, after); err != nil {
			return err
		}
		if err := countInCampaign(tx, before, after); err != nil {
			return err
		}
	}
	if len(c.Messages) > 0 {
		after.Words = true
		if err := callWords.put(tx, c.Messages, part, c.ID); err != nil {
			return err
		}
	} else if before != nil && before.Words && !after.Words {
		if err := callWords.remove(tx, nil, part, c.ID); err != nil {
			return err
		}
	}
	after.Call.Messages = nil
	if before != nil && before.Traced && !after.Traced {
		if err := callTraces.remove(tx, call.LineTrace{}, c.OrgID, c.ID); err != nil {
			return err
		}
	}
	if before == nil {
		if err := calls.add(tx, after, "there is already a call \""+c.ID+"\"", part, c.ID); err != nil || c.Trial {
			return err
		}
		return countCall(tx, nil, c)
	}
	if err := calls.replace(tx, *before, after, part, c.ID); err != nil || c.Trial {
		return err
	}
	return countCall(tx, &before.Call, c)
}

// changeCall applies one state transition to an organization's call and returns the call after it; it has messages only
// if step set them. step may change the record in place; then follows once it is written. An error of either aborts the
// transaction.
func (s *Records) changeCall(
	ctx context.Context, orgID, id string, lock driver.Lock, step func(driver.Tx, *record.CallRecord) error,
	then ...func(driver.Tx, call.Call) error,
) (call.Call, error) {
	var after record.CallRecord
	err := s.db.Update(ctx, func(tx driver.Tx) error {
		before, err := calls.require(tx, lock, []string{partOf(orgID, id), id})
		if err != nil {
			return err
		}
		after = before
		if err := step(tx, &after); err != nil {
			return record.ToConflict(err)
		}
		err = saveCall(tx, &before, after)
		for _, follow := range then {
			if err == nil {
				err = follow(tx, after.Call)
			}
		}
		return err
	})
	if err != nil {
		return call.Call{}, err
	}
	return after.Call, nil
}

// FindCall implements [store.CallStore].
func (s *Records) FindCall(ctx context.Context, orgID, id string) (call.Call, error) {
	c, err := s.readCall(ctx, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound && call.ValidID(id) &&
		s.db.FindDamage(ctx, calls.Table, []string{partOf(orgID, id), id}) {
		return s.readCall(ctx, orgID, id)
	}
	return c, err
}

// FindCalls implements [store.CallStore].
func (s *Records) FindCalls(ctx context.Context, orgID string, ids []string) (found map[string]call.Call, err error) {
	load := driver.Load{Table: calls.Table, Lock: driver.NoLock}
	for _, id := range ids {
		if call.ValidID(id) && record.IsKeyPart(orgID) {
			load.Keys = append(load.Keys, []string{partOf(orgID, id), id})
		}
	}
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		found = map[string]call.Call{}
		if err := tx.Load(load); err != nil {
			return err
		}
		for _, key := range load.Keys {
			r, there, err := calls.find(tx, key...)
			if err != nil && !store.IsUnreadable(err) {
				return err
			}
			if err == nil && there {
				found[key[1]] = r.Call
			}
		}
		return nil
	})
	return found, err
}

// readCall reads a call with its messages.
func (s *Records) readCall(ctx context.Context, orgID, id string) (c call.Call, err error) {
	part := partOf(orgID, id)
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		r, err := calls.need(tx, part, id)
		if c = r.Call; err != nil || !r.Words {
			return err
		}
		c.Messages, _, err = callWords.find(tx, part, id)
		return err
	})
	return c, err
}

// CallTimeline implements [store.CallStore].
func (s *Records) CallTimeline(ctx context.Context, orgID, id string) ([]call.TimelineEntry, error) {
	return read(ctx, s, func(tx driver.Tx) ([]call.TimelineEntry, error) {
		part := partOf(orgID, id)
		if _, err := calls.need(tx, part, id); err != nil {
			return nil, err
		}
		return callLines.list(tx, driver.Query{Equal: []any{part, id}})
	})
}

// KeepRecordingSum implements [store.CallStore].
func (s *Records) KeepRecordingSum(ctx context.Context, orgID, id string, sum call.RecordingSum) error {
	_, err := s.changeCall(ctx, orgID, id, driver.RowLock, func(_ driver.Tx, r *record.CallRecord) error {
		r.Call.KeepRecordingSum(sum)
		return nil
	})
	return err
}

// AmendCall implements [store.CallStore].
func (s *Records) AmendCall(
	ctx context.Context, orgID, id string, a call.Amendment, actor string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.RowLock, func(tx driver.Tx, r *record.CallRecord) error {
		before := r.Call
		after, changed, err := before.Amend(a, actor, now)
		if err != nil || !changed {
			return err
		}
		r.Call = after
		line := call.TimelineEntry{At: now, Event: string(a.Kind), Actor: actor, Note: a.CorrectedSlots()}
		if err := addLine(tx, r, line); err != nil {
			return err
		}
		if !after.Trial {
			if err := recountAnswers(tx, before, after); err != nil {
				return err
			}
		}
		return addAudit(tx, orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "call." + string(a.Kind), Subject: id, Note: a.CorrectedSlots(),
		})
	})
}
