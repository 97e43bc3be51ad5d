package store

import (
	"time"

	"munadi/store/call"
)

// CallFilter narrows and orders a list of calls; zero fields do not narrow it. The From bounds are inclusive, the To
// bounds exclusive.
type CallFilter struct {
	Statuses       []call.CallStatus // any of them
	ScenarioID     string
	CampaignID     string
	PhoneNumber    string // the whole number
	NumberContains string // any part of the number
	NumberEnds     string // the end of the number; indexed, so the cost does not grow with the number of calls
	// Name is a part of the person's name: each of its words begins a word of the name, see [call.NameWords]. Indexed in
	// the order by creation; in the other order only rare names are found without examining all calls.
	Name        string
	Trials      bool   // trials instead of calls, see [call.NewTrial]
	NeedsPerson bool   // a person must follow it up, see [call.PersonNeed]
	TakenBy     string // in the order by mark: the actor who has taken it, or [TakenByNobody]
	// People lists one call per person of the campaign CampaignID (then required): the deciding one, see
	// [campaign.PeopleTally].
	People      PeopleGroup
	Direction   call.CallDirection // empty: both
	EndedBy     call.EndedBy
	NotEndedBy  call.EndedBy
	AnswerSlot  string // with AnswerValue: calls with this answer in the report, see [call.ReportAnswers]; by due time
	AnswerValue string
	CreatedFrom time.Time
	CreatedTo   time.Time
	DueFrom     time.Time // the dial time
	DueTo       time.Time
	Sort        CallSort // empty: by creation
	Ascending   bool     // earliest first, instead of latest first
	Limit       int      // 1..200
	MaxExamined int      // limit of calls examined for a page, which then ends early with a cursor; 0: no limit
	Cursor      string   // [ListPage.Next] of the previous page, with the same filter and order; else CodeInvalid
}

// PeopleGroup is a part of a campaign's people.
type PeopleGroup string

// The groups.
const (
	AllPeople       PeopleGroup = "all"
	UnreachedPeople PeopleGroup = "unreached" // no call reached them, see [campaign.IsUnreached]
	OtherPeople     PeopleGroup = "other"     // reached, waiting, on the line or cancelled
)

// CallSort is the time by which a list of calls is ordered; calls of the same time are ordered by creation and id.
type CallSort string

// The sort orders.
const (
	SortByCreation CallSort = "created_at"
	SortByDueTime  CallSort = "due_at"
	// SortByMark is by the time since when a person must follow the call up. It requires NeedsPerson, and allows no
	// other condition but TakenBy.
	SortByMark CallSort = "marked_at"
)

// TakenByNobody selects the calls that nobody has taken, in [CallFilter.TakenBy].
const TakenByNobody = "-"

// ListPage is a part of a list, and the cursor of the next; empty on the last one.
type ListPage[T any] struct {
	Items []T
	Next  string
}
