package store

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/scenario"
)

// CallStore are the outbound calls; their way is drawn in package call. What the table there does not allow is refused
// with CodeConflict. Every change adds its line to the call's timeline in the same transaction; actor says who did it.
type CallStore interface {
	// BookCall adds a scheduled call. With an idempotency key that was used in the last [KeepReceipts], it books nothing
	// and returns the first receipt. CodeConflict for an id in use, CodeInvalid for a call that may not be.
	BookCall(ctx context.Context, c call.Call, actor string, once *IdempotencyReceipt) (IdempotencyReceipt, error)
	// FindReceipt finds what a booking under an idempotency key was answered with in the last [KeepReceipts]; nil without
	// one. It is asked before a repeat is judged, whose dial time may have passed meanwhile.
	FindReceipt(ctx context.Context, orgID, key string, now time.Time) (*IdempotencyReceipt, error)
	// FindCall finds one. CodeNotFound without one in the organization.
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	// CallsPage lists calls, newest first, without their messages.
	CallsPage(ctx context.Context, orgID string, f CallFilter) (ListPage[call.Call], error)
	// CallTimeline lists what happened to a call, oldest first.
	CallTimeline(ctx context.Context, orgID, id string) ([]call.TimelineEntry, error)
	// RescheduleCall moves a scheduled call, and the plan that its previous attempt tells of.
	RescheduleCall(
		ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
	) (call.Call, error)
	// CancelCall ends a scheduled call and its retry chain: its previous attempt no longer tells of a plan. A plan that
	// was released or stopped stays told, so that a notification says the same whenever it leaves.
	CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)
	// HangupCall records that a running call is to be ended. CodeConflict when none is running.
	HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)

	// DueCalls are the scheduled calls whose time has come, of all organizations, earliest first, at most limit, and
	// when the next one after those is due (zero without one). Its cost does not grow with the calls that are not due.
	DueCalls(ctx context.Context, now time.Time, limit int) ([]call.Call, time.Time, error)
	// DueCallsOf is DueCalls for those organizations that can use a line. room says how many calls of an organization
	// are wanted; with 0, its whole backlog is skipped at the cost of a seek, however long it is. Earliest first over
	// all organizations, calls of the same time in the order of their creation, at most limit. The time is when the next
	// call that is not due yet becomes due, of the organizations with room (zero without one). room is called at most
	// once for an organization and must not use the store.
	DueCallsOf(
		ctx context.Context, room func(orgID string) int, now time.Time, limit int,
	) ([]call.Call, time.Time, error)
	// ReleaseCall hands a scheduled call to a line. CodeConflict for one that is not due any more: a person moved it
	// since it was found due. So it is with StopCall, and with RescheduleCall for [call.Moved].
	ReleaseCall(ctx context.Context, orgID, id string, now time.Time) (call.Call, error)
	// ReturnCall puts a dialled call back among the scheduled ones, due at a later time, as [call.Call.ReturnToSchedule] does: the
	// dial counts as none. CodeConflict for one whose end a person asked for, that was put back too often, or whose
	// person was erased meanwhile. why is the note in its timeline.
	ReturnCall(ctx context.Context, orgID, id string, at time.Time, why string, now time.Time) (call.Call, error)
	// StopCall fails a scheduled call at its release, with its webhook row.
	StopCall(ctx context.Context, orgID, id string, reason call.FailureReason, now time.Time) (call.Call, error)
	// AnswerCall records that a dialled call was answered; recording names the file that is being written.
	AnswerCall(ctx context.Context, orgID, id, recording string, now time.Time) (call.Call, error)
	// FinishCall ends a running call: outcome, next attempt, webhook row, and the suppression that a person asked for,
	// in one transaction. A retry whose time lies in closed hours is booked for the next open ones of the organization
	// and of a scenario that is kept here; none follows for a number that is suppressed then. A call whose person was
	// erased while it ran comes back emptied; its recording is left to ExpireRecordings.
	FinishCall(
		ctx context.Context, orgID, id string, o call.CallOutcome, suppress *callrules.SuppressionEntry, now time.Time,
	) (call.Call, error)
	// RescueCalls fails every running call, as after a crash; for the start, when no line can be held.
	RescueCalls(ctx context.Context, now time.Time) ([]call.Call, error)
	// RunningCalls lists the calls that hold a line, of all organizations.
	RunningCalls(ctx context.Context) ([]call.Call, error)
	// CountAttempts counts the calls released to a number of an organization since a time, not later ones than until.
	CountAttempts(ctx context.Context, orgID, number string, since, until time.Time) (int, error)
	// CountCalls counts an organization's calls by status, of those created in [from, to).
	CountCalls(ctx context.Context, orgID string, from, to time.Time) (map[call.CallStatus]int, error)

	// ErasePerson removes words, report, variables, metadata and number of all ended calls to a number, cancels its
	// scheduled ones, leaves tombstones, and returns the names of the recordings that are to be removed. Receipts and
	// tries of deliveries lose what they tell of the person; running calls are emptied when they end. Suppressions stay.
	ErasePerson(ctx context.Context, orgID, number, actor string, now time.Time) (ErasureResult, error)
	// ExpireRecordings forgets the recordings (and with words true the words) of calls that ended before a time, and
	// returns the names of recordings to be removed, at most limit.
	ExpireRecordings(ctx context.Context, orgID string, before time.Time, words bool, limit int) ([]string, error)
	// ExpireWords forgets messages, report and response of calls that ended before a time, at most limit, and says of
	// how many; their recordings stay, since audio and words have times of their own.
	ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error)
	// ExpireReceipts forgets the receipts that no longer count and says how many; for a worker, now and then.
	ExpireReceipts(ctx context.Context, now time.Time) (int, error)
}

// KeepReceipts is how long a booking is recognised by its idempotency key.
const KeepReceipts = 24 * time.Hour

// IdempotencyReceipt is what a booking under an idempotency key was answered with.
type IdempotencyReceipt struct {
	Key     string    `json:"key"`  // the client's
	Body    []byte    `json:"body"` // hash of the request; another one under the key is a conflict, for the caller to see
	CallID  string    `json:"call_id"`
	Answer  []byte    `json:"answer"` // the first answer's data, as sent; empty once the person was erased
	MadeAt  time.Time `json:"made_at"`
	Replays bool      `json:"-"` // it was there already
}

// ErasureResult says what an erasure did.
type ErasureResult struct {
	Calls      int      // ended calls that were emptied
	Cancelled  int      // scheduled calls that were cancelled
	Recordings []string // names of files to be removed
}

// CallFilter narrows a list of calls; zero fields do not.
type CallFilter struct {
	Status      call.CallStatus
	ScenarioID  string
	PhoneNumber string
	CreatedFrom time.Time // included
	CreatedTo   time.Time // not included
	Limit       int       // 1..200
	Cursor      string    // of the page before; CodeInvalid for one that is none
}

// ListPage is a part of a list, and the cursor of the next; empty on the last one.
type ListPage[T any] struct {
	Items []T
	Next  string
	// Incomplete says that the list may lack items: the disk damaged records, or the index that the list follows.
	Incomplete bool
	Unreadable int // items of this page that were left out, since their records cannot be read
}

// ScenarioStore are an organization's own ones; the built-in ones are the appliance's affair.
type ScenarioStore interface {
	ListScenarios(ctx context.Context, orgID string) ([]scenario.Scenario, error)
	// FindScenario finds one. CodeNotFound without one.
	FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
	// CreateScenario adds one; CodeConflict for an id in use.
	CreateScenario(ctx context.Context, s scenario.Scenario, actor string, now time.Time) error
	// PutScenario adds or replaces one.
	PutScenario(ctx context.Context, s scenario.Scenario, actor string, now time.Time) error
	// DeleteScenario removes one; CodeNotFound without one.
	DeleteScenario(ctx context.Context, orgID, id, actor string, now time.Time) error
}

// CallRulesStore are the organizations' rules for calling.
type CallRulesStore interface {
	// FindRules are an organization's; the zero rules when it never set any.
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	// PutRules replaces them. CodeNotFound without the organization.
	PutRules(ctx context.Context, orgID string, r callrules.CallRules, actor string, now time.Time) error
	// ChangeRules lets change alter them in one transaction, so that nobody's change is lost; it may be called again. Its
	// error is returned as it is and leaves all as it was. CodeNotFound without the organization.
	ChangeRules(ctx context.Context, orgID, actor string, now time.Time, change func(*callrules.CallRules) error) error
	// FindSuppression finds the active entry for a number; nil without one.
	FindSuppression(ctx context.Context, orgID, number string, now time.Time) (*callrules.SuppressionEntry, error)
	// ListSuppressions lists entries by number.
	ListSuppressions(ctx context.Context, orgID string, limit int, cursor string) (ListPage[callrules.SuppressionEntry], error)
	// AddSuppressions adds entries, or replaces those of the same number.
	AddSuppressions(ctx context.Context, entries []callrules.SuppressionEntry, actor string, now time.Time) error
	// RemoveSuppression removes one; CodeNotFound without one.
	RemoveSuppression(ctx context.Context, orgID, number, actor string, now time.Time) error
}

// OutboxStore are the webhook settings and the notifications that are owed.
type OutboxStore interface {
	// FindWebhook is an organization's setting; the zero one when it never set any.
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	// PutWebhook replaces it.
	PutWebhook(ctx context.Context, orgID string, w delivery.WebhookSetting, actor string, now time.Time) error
	// ChangeWebhook replaces it by what change makes of it, in one transaction, so that nobody's change is lost, and
	// returns both; change may be called again. CodeNotFound without the organization.
	ChangeWebhook(
		ctx context.Context, orgID, actor string, now time.Time, change func(delivery.WebhookSetting) delivery.WebhookSetting,
	) (before, after delivery.WebhookSetting, err error)
	// DueDeliveries are the pending deliveries whose time has come, longest due first, of every organization as many as
	// room says; those that busy names are on their way and are left out. What calls owe comes before what a person
	// asked for. The time is when the next delivery of an organization with room becomes due (zero without one). room
	// is called at most once for an organization; neither may use the store.
	DueDeliveries(
		ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
	) ([]delivery.Delivery, time.Time, error)
	// RecordTry keeps a try, and the body that it sent while another try is to follow, and moves the delivery as package
	// delivery says. CodeConflict when it is not pending.
	RecordTry(ctx context.Context, orgID, id string, t delivery.DeliveryTry, now time.Time) (delivery.Delivery, error)
	// AddDelivery owes a notification that no call's end wrote: a test. It and what is redelivered get the places that
	// the notifications of calls leave free: an old notification holds no new one up.
	AddDelivery(ctx context.Context, d delivery.Delivery) error
	// RedeliverWebhook owes an ended delivery once more. CodeConflict while it is pending.
	RedeliverWebhook(ctx context.Context, orgID, id, actor string, now time.Time) (delivery.Delivery, error)
	// FindDelivery finds one; DeliveryOf finds that of a call's end, nil without one.
	FindDelivery(ctx context.Context, orgID, id string) (delivery.Delivery, error)
	DeliveryOf(ctx context.Context, orgID, callID string) (*delivery.Delivery, error)
	// ListDeliveries lists them, newest first; an empty state lists all.
	ListDeliveries(
		ctx context.Context, orgID string, state delivery.DeliveryState, limit int, cursor string,
	) (ListPage[delivery.Delivery], error)
}

// AuditStore is the record of who changed what.
type AuditStore interface {
	// AuditTrail lists an organization's changes, newest first.
	AuditTrail(ctx context.Context, orgID string, limit int, cursor string) (ListPage[AuditEntry], error)
}

// AuditEntry is one line of the audit trail.
type AuditEntry struct {
	At      time.Time `json:"at"`
	Actor   string    `json:"actor"`
	Action  string    `json:"action"`  // rules.put, webhook.put, scenario.delete, call.cancel, person.erase, …
	Subject string    `json:"subject"` // what it was done to: an id, a masked number
	Note    string    `json:"note,omitempty"`
}

// ChangeKind is a part of the store that a worker waits for.
type ChangeKind string

// The kinds.
const (
	CallsChanged  ChangeKind = "calls"      // booked, moved, ended: something may be due
	HangupsAsked  ChangeKind = "hangups"    // a running call is to be ended
	OutboxChanged ChangeKind = "deliveries" // a notification is owed
	CallbackOwed  ChangeKind = "callbacks"  // a job with a callback has ended
)

// ChangeWatcher wakes workers.
type ChangeWatcher interface {
	// WatchKind is a channel that holds a token after every commit that touched kind; tokens that nobody took are one.
	// It works within this process only: a worker looks by itself now and then. stop ends it.
	WatchKind(kind ChangeKind) (woken <-chan struct{}, stop func())
}
