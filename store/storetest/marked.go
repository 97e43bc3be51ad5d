package storetest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// markWorld changes calls of two organizations at random.
type markWorld struct {
	t     *testing.T
	s     store.Store
	dice  *rand.Rand
	calls []call.Call
	now   time.Time
}

// markActors mark and take calls.
var markActors = []string{"user:amal", "user:badr", "key:robot"}

// markedOrder: in the order by mark, pages and counts hold what a scan of all calls finds, whatever happens to them.
func markedOrder(t *testing.T, s store.Store) {
	orgs := []string{"bakery", "airline"}
	addOrganizations(t, s, orgs...)
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	w := markWorld{t: t, s: s, dice: rand.New(rand.NewPCG(seed, 1)), now: startTime()}
	for i := range 40 {
		w.bookCall(orgs[i%2])
	}
	found := 0
	for range 25 {
		for range 12 {
			w.changeCall()
		}
		for _, org := range orgs {
			found += w.compareLists(org)
		}
	}
	if found == 0 {
		t.Error("no call was ever marked")
	}
	w.checkRefusals()
}

func (w *markWorld) bookCall(org string) {
	c := newCall(org, time.Duration(w.dice.IntN(5))*time.Second)
	c.PhoneNumber = "+96650000000" + string(rune('0'+w.dice.IntN(10)))
	bookCalls(w.t, w.s, c)
	w.calls = append(w.calls, c)
}

// changeCall does something to a random call. What its state does not allow is refused.
func (w *markWorld) changeCall() {
	c := w.calls[w.dice.IntN(len(w.calls))]
	w.now = w.now.Add(time.Duration(w.dice.IntN(3)) * time.Second) // marks of the same time are ordered, too
	at, actor := w.now, markActors[w.dice.IntN(len(markActors))]
	if w.dice.IntN(4) == 0 {
		at = startTime().Add(time.Duration(w.dice.IntN(3600)) * time.Second) // a clock that goes back
	}
	var err error
	switch kinds := []call.AmendKind{call.AmendMark, call.AmendMark, call.AmendTake, call.AmendLeave, call.AmendDone}; w.dice.IntN(8) {
	case 0:
		w.bookCall(c.OrgID)
	case 1:
		_, err = w.s.CancelCall(w.t.Context(), c.OrgID, c.ID, actor, at)
	case 2, 3:
		if _, err = w.s.ReleaseCall(w.t.Context(), c.OrgID, c.ID, at); err == nil {
			o := newOutcome([]call.CallStatus{call.NoAnswer, call.UserRejected}[w.dice.IntN(2)])
			o.Need = []call.NeedReason{"", call.NeedAsked, call.NeedScenario}[w.dice.IntN(3)]
			_, err = w.s.FinishCall(w.t.Context(), c.OrgID, c.ID, o, nil, at)
		}
	case 4:
		if w.dice.IntN(4) == 0 {
			_, err = w.s.ErasePerson(w.t.Context(), c.OrgID, c.PhoneNumber, actor, at)
		}
	default:
		_, err = w.s.AmendCall(w.t.Context(), c.OrgID, c.ID, call.Amendment{Kind: kinds[w.dice.IntN(len(kinds))]}, actor, at)
	}
	if code := store.CodeOf(err); err != nil && code != store.CodeConflict {
		w.t.Fatal(err)
	}
}

// compareLists compares every part of an organization's list with a scan, and returns the number of marked calls.
func (w *markWorld) compareLists(org string) int {
	var all []call.Call
	for f := (store.CallFilter{Limit: 200}); ; {
		page, err := w.s.CallsPage(w.t.Context(), org, f)
		wantCode(w.t, "CallsPage", err, "")
		all = append(all, page.Items...)
		if f.Cursor = page.Next; f.Cursor == "" {
			break
		}
	}
	all = slices.DeleteFunc(all, func(c call.Call) bool { return !c.Need.IsOpen() })
	slices.SortFunc(all, func(a, b call.Call) int {
		return cmp.Or(a.Need.At.Compare(b.Need.At), a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, taker := range append([]string{"", store.TakenByNobody}, markActors...) {
		var want []string
		for _, c := range all {
			if taker == "" || c.Need.TakenBy == taker || taker == store.TakenByNobody && c.Need.TakenBy == "" {
				want = append(want, c.ID)
			}
		}
		f := store.CallFilter{
			NeedsPerson: true, Sort: store.SortByMark, TakenBy: taker, Ascending: w.dice.IntN(2) == 0, Limit: 1 + w.dice.IntN(9),
		}
		n, err := w.s.CountCalls(w.t.Context(), org, f, 1000)
		if wantCode(w.t, "CountCalls", err, ""); n != len(want) {
			w.t.Errorf("%d calls are counted that %q has taken, want %d", n, taker, len(want))
		}
		if !f.Ascending {
			slices.Reverse(want)
		}
		if got := listCalls(w.t, w.s, org, f); !slices.Equal(got, want) {
			w.t.Errorf("%q has taken %v, want %v", taker, got, want)
		}
	}
	return len(all)
}

// checkRefusals checks that conditions without an index, and cursors of another list, are refused.
func (w *markWorld) checkRefusals() {
	marked := store.CallFilter{NeedsPerson: true, Sort: store.SortByMark, Ascending: true, Limit: 1}
	for i := range 2 {
		c := newCall("bakery", time.Duration(i))
		bookCalls(w.t, w.s, c)
		finishCall(w.t, w.s, c, call.NoAnswer, w.now)
		amendCall(w.t, w.s, c, call.Amendment{Kind: call.AmendMark}, "")
	}
	page, err := w.s.CallsPage(w.t.Context(), "bakery", marked)
	if wantCode(w.t, "CallsPage", err, ""); page.Next == "" {
		w.t.Fatal("the first page has no next one")
	}
	for name, change := range map[string]func(*store.CallFilter){
		"cursor of another part":    func(f *store.CallFilter) { f.TakenBy, f.Cursor = store.TakenByNobody, page.Next },
		"cursor of the other order": func(f *store.CallFilter) { f.Ascending, f.Cursor = false, page.Next },
		"all calls":                 func(f *store.CallFilter) { f.NeedsPerson = false },
		"number":                    func(f *store.CallFilter) { f.PhoneNumber = number },
		"status":                    func(f *store.CallFilter) { f.Statuses = []call.CallStatus{call.Completed} },
		"taker in another order":    func(f *store.CallFilter) { f.Sort, f.TakenBy = store.SortByDueTime, markActors[0] },
	} {
		f := marked
		change(&f)
		_, err := w.s.CallsPage(w.t.Context(), "bakery", f)
		wantCode(w.t, name, err, store.CodeInvalid)
	}
}
