package store

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/scenario"
)

// CallStore stores the outbound calls; package call defines their state machine. A transition that the state machine
// does not allow is refused with CodeConflict. Every change appends an entry to the call's timeline in the same
// transaction; actor is who made the change.
type CallStore interface {
	// BookCall adds a scheduled call; the audit entry call.create names its id and scenario. Idempotency: when once
	// holds an idempotency key that was used within [KeepReceipts], it books nothing and returns the first receipt.
	// CodeConflict for an id in use, CodeInvalid for a malformed call.
	BookCall(ctx context.Context, c call.Call, actor string, once *IdempotencyReceipt) (IdempotencyReceipt, error)
	// BeginTrial adds a call of [call.NewTrial], which is running at once and belongs to this appliance. It is found by
	// its id, listed by [CallFilter.Trials] alone, and in the audit log as trial.create; it counts nowhere, and sends no
	// notification and no event.
	BeginTrial(ctx context.Context, c call.Call, actor string) error
	// EraseTrial removes the personal data of a trial; its recording is left to ExpireRecordings. One that runs is hung
	// up, and emptied when it ends. CodeNotFound for a call, too.
	EraseTrial(ctx context.Context, orgID, id, actor string, now time.Time) error
	// FindReceipt returns the stored answer to a booking under an idempotency key within [KeepReceipts]; nil without
	// one. Callers look it up before they validate a repeated request, whose dial time may have passed meanwhile.
	FindReceipt(ctx context.Context, orgID, key string, now time.Time) (*IdempotencyReceipt, error)
	// FindCall returns a call. CodeNotFound without one in the organization.
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	// FindCalls returns the calls of these ids that exist and can be read, by id, without their messages.
	FindCalls(ctx context.Context, orgID string, ids []string) (map[string]call.Call, error)
	// CallsPage lists calls in the order of the filter, without their messages. However selective the filter, a page is
	// full unless it is the last one or MaxExamined calls were examined. A call that is added, or moved to another dial
	// time, between two pages shifts no other call: a cursor is a position in the order, not an offset.
	CallsPage(ctx context.Context, orgID string, f CallFilter) (ListPage[call.Call], error)
	// SearchCalls is CallsPage of the calls that examine accepts; examine gets each call with its messages, in the order
	// of the filter, and must not use the store. It ends the page by returning more as false: then, as always, the cursor
	// continues behind the last call examined, and the page may be short or empty though calls follow. words distinguishes
	// cursors of different searches.
	SearchCalls(
		ctx context.Context, orgID string, f CallFilter, words string, examine func(call.Call) (found, more bool),
	) (ListPage[call.Call], error)
	// CountCalls counts the calls that match a filter, up to limit; order, page size and cursor of the filter are
	// ignored. A filter with an answer must not limit the time of creation.
	CountCalls(ctx context.Context, orgID string, f CallFilter, limit int) (int, error)
	// TallyCalls returns counters of the calls due in [from, to), one for each quarter of an hour and scenario that has
	// any, in order of time; from and to lie on quarters. Two zero times: one for each scenario, of all time. Counters
	// change in the transaction of the call's change; they keep the answers of erased people. With slots they have the
	// answers of these alone, and are read faster.
	TallyCalls(ctx context.Context, orgID string, from, to time.Time, slots ...string) ([]call.CallTally, error)
	// CallTimeline lists the events of a call, oldest first.
	CallTimeline(ctx context.Context, orgID, id string) ([]call.TimelineEntry, error)
	// FindTrace returns the line trace of a call; an empty one if none was recorded, or the call's texts were removed.
	// CodeNotFound without the call.
	FindTrace(ctx context.Context, orgID, id string) (call.LineTrace, error)
	// RescheduleCall moves a scheduled call, and updates the next-attempt time that its previous attempt reports.
	RescheduleCall(
		ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
	) (call.Call, error)
	// CancelCall cancels a scheduled call and its retry chain: the previous attempt no longer reports a next attempt. A
	// next attempt that was already released or stopped stays reported, so that a webhook says the same whenever it is
	// sent.
	CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)
	// HangupCall requests the hang-up of a running call. CodeConflict when the call is not running.
	HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)

	// AmendCall applies [call.Call.Amend]: notes, the mark that a person must follow the call up, corrections. Corrected
	// answers update the counters of answers. A change has a line in the timeline and the audit entry call.KIND, whose
	// note names the corrected slots. CodeConflict for an amendment that the call does not allow.
	AmendCall(ctx context.Context, orgID, id string, a call.Amendment, actor string, now time.Time) (call.Call, error)

	// DueCallsOf returns the scheduled calls whose dial time has come, with fair queuing: room returns how many calls of
	// an organization may start now; with 0 its whole backlog is skipped at the cost of one seek. Earliest first over all
	// organizations, calls of equal time in order of creation, at most limit. The returned time is the next dial time in
	// the future among organizations with room (zero without one). room is called at most once per organization and must
	// not use the store. The cost does not grow with calls whose time has not come.
	DueCallsOf(ctx context.Context, room func(orgID string) int, now time.Time, limit int) ([]call.Call, time.Time, error)
	// ReleaseCall hands a scheduled call to a line (dialling begins). CodeConflict when its time has not come any more
	// because a user moved it after DueCallsOf found it. The same holds for StopCall, and for RescheduleCall with
	// [call.Moved].
	ReleaseCall(ctx context.Context, orgID, id string, now time.Time) (call.Call, error)
	// ReturnCall requeues a dialled call for a later time, as [call.Call.ReturnToSchedule] does; the dial does not
	// count as an attempt. CodeConflict when a user requested its hang-up, when it was requeued too often, or when its
	// person was erased meanwhile. why becomes the note in its timeline.
	ReturnCall(ctx context.Context, orgID, id string, at time.Time, why string, now time.Time) (call.Call, error)
	// StopCall fails a scheduled call instead of releasing it, and enqueues its webhook.
	StopCall(ctx context.Context, orgID, id string, reason call.FailureReason, now time.Time) (call.Call, error)
	// DialPerson records that the person of a call-back is called now, as [call.Call.DialPerson] does. A reason says why
	// they may not be called any more, though the call was released: then nothing is changed. CodeConflict when the call
	// is no longer being dialled.
	DialPerson(ctx context.Context, orgID, id string, now time.Time) (call.FailureReason, error)
	// AnswerCall records that a dialled call was answered; recording is the name of the recording file.
	AnswerCall(ctx context.Context, orgID, id, recording string, now time.Time) (call.Call, error)
	// FinishCall ends a running call in one transaction: outcome, next attempt (retry), webhook row in the outbox, and
	// the suppression that the callee asked for. A retry that falls outside the calling hours is booked for the next
	// opening of the organization and of a stored scenario; a suppressed number gets no retry. A call whose person was
	// erased while it ran is returned emptied; its recording is left to ExpireRecordings. In a shared store, a call that
	// another appliance ended as interrupted, because the caller of FinishCall had lost the database, gets its true
	// outcome and a second webhook; the retry that was booked for it is cancelled unless it has begun.
	FinishCall(
		ctx context.Context, orgID, id string, o call.CallOutcome, suppress *callrules.SuppressionEntry, now time.Time,
	) (call.Call, error)
	// KeepRecordingSum stores the sum of the recording of an interrupted call, once it was repaired; see
	// [call.Call.KeepRecordingSum].
	KeepRecordingSum(ctx context.Context, orgID, id string, sum call.RecordingSum) error
	// RescueCalls fails every running call (crash recovery), to be used at start, when this process holds no line yet.
	RescueCalls(ctx context.Context, now time.Time) ([]call.Call, error)
	// CountAttempts counts the calls to a number of an organization that were released from since through until.
	CountAttempts(ctx context.Context, orgID, number string, since, until time.Time) (int, error)

	// ErasePerson removes messages, report, line trace, variables, metadata and number of all ended calls to a number
	// (right to erasure), cancels its scheduled ones, leaves tombstones, and returns the names of the recordings to
	// remove. Idempotency receipts and delivery attempts lose their personal data; running calls are emptied when they
	// end. Skipped rows of campaigns, saved views, bulk changes and column mappings lose the number. Suppressions stay.
	//
	// Many calls take several transactions. The last one adds the one audit entry, with the counts of all; an erasure
	// that was interrupted before it is completed by repeating the request or by ResumeErasures.
	ErasePerson(ctx context.Context, orgID, number, actor string, now time.Time) (ErasureResult, error)
	// ResumeErasures completes the interrupted erasures that were requested before a time, and returns the names of the
	// recordings to remove; a worker calls it periodically.
	ResumeErasures(ctx context.Context, before time.Time) ([]string, error)
	// ExpireRecordings detaches the recordings (and with words true the messages, report and response) of calls that
	// ended before a time, and returns the names of the recordings to remove, at most limit.
	ExpireRecordings(ctx context.Context, orgID string, before time.Time, words bool, limit int) ([]string, error)
	// ExpireWords removes messages, report, response and line trace of calls that ended before a time, at most limit,
	// and returns the number of calls. Recordings stay: audio and text have separate retention periods.
	ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error)
	// NameOlderCalls adds the calls that an older version booked to the search by name, by the name variable of their
	// scenario, stored or built in. Until it has ended once, reports of searches by name say so. It continues after an
	// interruption; a worker calls it at its start.
	NameOlderCalls(ctx context.Context, builtIn []scenario.Scenario, now time.Time) error
	// RenewMarks brings the order by mark up to date with calls that an appliance of an older version, which does not
	// know it, has changed on a shared database; every appliance calls it at its start.
	RenewMarks(ctx context.Context) error
	// ExpireReceipts removes the expired idempotency receipts and returns their number; a worker calls it periodically.
	ExpireReceipts(ctx context.Context, now time.Time) (int, error)
}

// KeepReceipts is the retention period of idempotency keys.
const KeepReceipts = 24 * time.Hour

// IdempotencyReceipt is the stored answer to a booking under an idempotency key.
type IdempotencyReceipt struct {
	Key     string    `json:"-"`       // the client's key; only its hash is stored, as it may name a person
	Body    []byte    `json:"body"`    // hash of the request; the caller treats another hash under this key as a conflict
	CallID  string    `json:"call_id"` // or the campaign's id
	Answer  []byte    `json:"answer"`  // data of the first answer, as sent; empty once the person was erased
	MadeAt  time.Time `json:"made_at"`
	Replays bool      `json:"-"` // the receipt was already stored: this is a replay
}

// ErasureResult counts what an erasure changed.
type ErasureResult struct {
	Calls      int      `json:"calls"`      // ended calls that were emptied
	Cancelled  int      `json:"cancelled"`  // scheduled calls that were cancelled
	Running    int      `json:"running"`    // calls that are emptied when they end
	Mentions   int      `json:"mentions"`   // of the number outside calls that were removed
	Unreadable int      `json:"unreadable"` // records that are damaged on disk; they are left unchanged
	Recordings []string `json:"recordings"` // names of the files to remove
}

// ScenarioStore stores the scenarios of an organization and their versions; built-in scenarios are not stored.
type ScenarioStore interface {
	ListScenarios(ctx context.Context, orgID string) ([]scenario.Scenario, error)
	// FindScenario returns the published scenario with the draft beside it, or one that was only ever a draft.
	// CodeNotFound without one.
	FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
	// CreateScenario adds a scenario and its first version; CodeConflict for an id in use. A draft has the audit entry
	// scenario.draft, also when it is put; publishing over a draft removes that and has scenario.publish.
	CreateScenario(ctx context.Context, s scenario.Scenario, actor string, now time.Time) error
	// PutScenario adds or replaces a scenario, and adds the next version; the newest [scenario.MaxVersions] are kept,
	// and the published one. A draft is stored beside the published scenario, which stays in force.
	PutScenario(ctx context.Context, s scenario.Scenario, actor string, now time.Time) error
	// ReplaceScenario is PutScenario if the stored version is the given one (optimistic locking); 0 means that none is
	// stored, or one without versions. CodeConflict otherwise.
	ReplaceScenario(ctx context.Context, s scenario.Scenario, version int, actor string, now time.Time) error
	// DeleteScenario removes a scenario, its draft and its versions; CodeNotFound without one.
	DeleteScenario(ctx context.Context, orgID, id, actor string, now time.Time) error
	// ListScenarioVersions lists the kept versions of a scenario, newest first; none for an unknown one, and for one
	// saved before versions were kept.
	ListScenarioVersions(ctx context.Context, orgID, id string) ([]scenario.VersionHead, error)
	// FindScenarioVersion returns a version of a scenario. CodeNotFound without it.
	FindScenarioVersion(ctx context.Context, orgID, id string, number int) (scenario.ScenarioVersion, error)
}

// CallRulesStore stores the organizations' calling rules and suppression lists.
type CallRulesStore interface {
	// FindRules returns an organization's rules; the zero rules when it never set any.
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	// FindKeptRules returns rules under which a call was dialled, by their [call.DialFacts]. CodeNotFound without them.
	FindKeptRules(ctx context.Context, orgID, sum string) (callrules.CallRules, error)
	// ChangeRules is a read-modify-write of the rules in one transaction, so that no concurrent change is lost; change
	// may be called again. Its error is returned unchanged and leaves the rules unchanged. CodeNotFound without the
	// organization.
	ChangeRules(ctx context.Context, orgID, actor string, now time.Time, change func(*callrules.CallRules) error) error
	// FindSuppression returns the active suppression of a number; nil without one.
	FindSuppression(ctx context.Context, orgID, number string, now time.Time) (*callrules.SuppressionEntry, error)
	// ListSuppressions lists the entries by number.
	ListSuppressions(
		ctx context.Context, orgID string, limit int, cursor string,
	) (ListPage[callrules.SuppressionEntry], error)
	// AddSuppressions adds entries, replacing those of the same number.
	AddSuppressions(ctx context.Context, entries []callrules.SuppressionEntry, actor string, now time.Time) error
	// RemoveSuppression removes an entry; CodeNotFound without one.
	RemoveSuppression(ctx context.Context, orgID, number, actor string, now time.Time) error
}

// OutboxStore is the transactional outbox: webhook settings and the pending and ended webhook deliveries.
type OutboxStore interface {
	// FindWebhook returns an organization's webhook setting; the zero one when it never set any.
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	// ChangeWebhook is a read-modify-write of the setting in one transaction, so that no concurrent change is lost; it
	// returns the setting before and after. change may be called again; its error is returned unchanged and leaves the
	// setting unchanged. CodeNotFound without the organization.
	ChangeWebhook(
		ctx context.Context, orgID, actor string, now time.Time, change func(*delivery.WebhookSetting) error,
	) (before, after delivery.WebhookSetting, err error)
	// DueDeliveries returns the pending deliveries whose next attempt is due, oldest first, up to room deliveries per
	// organization (fair queuing); deliveries for which busy is true are in flight and left out. Deliveries of calls
	// come before tests and redeliveries. The returned time is the next attempt in the future among organizations with
	// room (zero without one). room is called at most once per organization; neither function may use the store.
	DueDeliveries(
		ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
	) ([]delivery.Delivery, time.Time, error)
	// RecordTry records a delivery attempt, keeps its body while another attempt follows, and moves the delivery as
	// package delivery defines. CodeConflict when it is not pending.
	RecordTry(ctx context.Context, orgID, id string, t delivery.DeliveryTry, now time.Time) (delivery.Delivery, error)
	// AddDelivery enqueues a notification that belongs to no call: a test (audit entry webhook.test). Tests and
	// redeliveries only use capacity that the deliveries of calls leave free, so they delay no current notification.
	AddDelivery(ctx context.Context, d delivery.Delivery, actor string) error
	// RedeliverWebhook enqueues an ended delivery again. CodeConflict while it is pending.
	RedeliverWebhook(ctx context.Context, orgID, id, actor string, now time.Time) (delivery.Delivery, error)
	// FindDelivery returns a delivery; DeliveryOf returns that of a call's end, nil without one.
	FindDelivery(ctx context.Context, orgID, id string) (delivery.Delivery, error)
	DeliveryOf(ctx context.Context, orgID, callID string) (*delivery.Delivery, error)
	// ListDeliveries lists the deliveries, newest first; an empty state lists all.
	ListDeliveries(
		ctx context.Context, orgID string, state delivery.DeliveryState, limit int, cursor string,
	) (ListPage[delivery.Delivery], error)
}

// AllOrganizations stands for the list of organizations among their ids.
const AllOrganizations = "all organizations"

// AuditStore is the audit trail: who changed what.
type AuditStore interface {
	// UseAuditKey sets the key that seals the audit trail, derived from the installation's secret. It must be called
	// before the first method that takes an actor.
	UseAuditKey(key [32]byte)
	// BeginAudit begins the chains of the audit trail in organizations whose entries are older than them, and the sealed
	// list of organizations.
	BeginAudit(ctx context.Context, now time.Time) error
	// VerifyAudit checks that every entry of an organization's audit trail is there and unchanged. CodeNotFound without
	// the organization.
	VerifyAudit(ctx context.Context, orgID string) (AuditVerification, error)
	// VerifyOrganizations returns the faults of the sealed list of organizations: of each one that was removed from the
	// database by its id, of the list itself by [AllOrganizations].
	VerifyOrganizations(ctx context.Context) (map[string]string, error)
	// ReadAudit calls visit with the entries of an organization's audit trail as it was when the reading began, oldest
	// first, and returns the ends of its chains; of one whose end cannot be read none. Such a chain, and one whose end was
	// changed, is read as a whole. It verifies nothing else. visit's error ends it and is returned unchanged.
	// CodeNotFound without the organization.
	ReadAudit(ctx context.Context, orgID string, visit func(AuditRow) error) (map[string]AuditEnd, error)
	// AuditTrail lists an organization's changes, newest first.
	AuditTrail(ctx context.Context, orgID string, limit int, cursor string) (ListPage[AuditEntry], error)
}

// AuditEntry is one line of the audit trail.
type AuditEntry struct {
	At      time.Time `json:"at"`
	Actor   string    `json:"actor"`
	Action  string    `json:"action"`  // rules.put, webhook.put, scenario.delete, call.cancel, person.erase, …
	Subject string    `json:"subject"` // what was changed: an id, a masked number
	Note    string    `json:"note,omitempty"`
}

// AuditRow is an entry of an audit trail with its place in a chain. Its hash is [record.HashAudit] of the other fields.
type AuditRow struct {
	Entry AuditEntry
	JSON  []byte // the entry as it was hashed
	Chain string // [OlderChain] for an entry of before the chains
	Place string // what is hashed of its place: the chain, or the key of an older one
	Seq   uint64 // in its chain, from 1
	// Before and Hash are the hashes of the entry before it in its chain, and of this one.
	Before, Hash []byte
	// Fault says why it can't be read; only Chain is set then. Empty: it can.
	Fault string
}

// OlderChain is the chain of the entries of before the chains: their hashes are made when they are read.
const OlderChain = "older"

// AuditEnd is the last entry of a chain.
type AuditEnd struct {
	Seq  uint64 `json:"seq"`
	Hash []byte `json:"hash"`
}

// AuditVerification is the result of a verification of an audit trail. Each entry is chained to the one before it by a
// hash; the end of a chain is sealed with the installation's secret.
type AuditVerification struct {
	Entries int `json:"entries"` // that were read
	// Older are those of before the chains began: a change of them is found, not which one.
	Older int       `json:"older"`
	Began time.Time `json:"began"` // when the chains began
	Fault string    `json:"fault"` // the first entry that is changed or missing, as a sentence; empty: none
}

// ChangeKind is a part of the store whose changes workers subscribe to.
type ChangeKind string

// Kinds of changes.
const (
	CallsChanged     ChangeKind = "calls"      // booked, moved or ended: calls may be due
	HangupsRequested ChangeKind = "hangups"    // the hang-up of a running call was requested
	OutboxChanged    ChangeKind = "deliveries" // a webhook delivery was enqueued
	EventsChanged    ChangeKind = "events"     // a delivery of an event was enqueued
	CallbacksChanged ChangeKind = "callbacks"  // a job with a callback has ended
)

// ChangeWatcher notifies workers of commits.
type ChangeWatcher interface {
	// WatchKind subscribes to commits that touch kind: the channel receives one token per commit, and pending tokens
	// are coalesced into one. It works within this process only, so workers also poll periodically. stop unsubscribes.
	WatchKind(kind ChangeKind) (woken <-chan struct{}, stop func())
}
