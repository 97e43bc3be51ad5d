package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/storetest/fixture"
)

// damageReader is a method of the contract that lists, counts, exports, claims or sweeps records.
type damageReader struct {
	method string
	// read returns what the method finds, each item as JSON.
	read func(r *readerRun) error
	// named are the kinds of the one record that the method is called for: damage of that is an honest error.
	named []string
	// kinds are prefixes of the kinds of keys that the method reads; nil: any. Damage of others is tried at once, not key
	// by key, since the method is slow.
	kinds []string
}

// readerRun is one run of a reader on a filled store.
type readerRun struct {
	ctx   context.Context
	s     store.Store
	in    fixture.Installation
	items []string
}

// add adds items to the result.
func add[T any](r *readerRun, all ...T) {
	for _, one := range all {
		text, err := json.Marshal(one)
		if err != nil {
			text = []byte(err.Error())
		}
		r.items = append(r.items, string(text))
	}
}

// addAll adds the result of a method that returns a list.
func addAll[T any](r *readerRun) func(all []T, err error) error {
	return func(all []T, err error) error { add(r, all...); return err }
}

// addCount adds the result of a method that counts.
func addCount(r *readerRun) func(n int, err error) error {
	return func(n int, err error) error {
		for i := range n {
			add(r, i)
		}
		return err
	}
}

// addPages adds all pages of a list, of which all but the last must be full; a limit of 0 means that they need not be.
func addPages[T any](r *readerRun, limit int, page func(cursor string) (store.ListPage[T], error)) error {
	for cursor := ""; ; {
		found, err := page(cursor)
		if err == nil && limit > 0 && found.Next != "" {
			err = checkFull(len(found.Items), limit)
		}
		if err != nil {
			return err
		}
		add(r, found.Items...)
		if cursor = found.Next; cursor == "" {
			return nil
		}
	}
}

// checkFull returns an error unless a page, or a claim, has the wanted number of items: unreadable ones take no room.
func checkFull(n, wanted int) error {
	if n != wanted {
		return fmt.Errorf("%d items instead of %d, although more follow", n, wanted)
	}
	return nil
}

// later is after every time limit of the installation's records.
func (r *readerRun) later() time.Time { return r.in.Now.Add(1000 * 24 * time.Hour) }

// callFilters are filters that use every index of calls.
func (r *readerRun) callFilters() (all []store.CallFilter) {
	number := r.in.Numbers["completed"]
	for _, f := range []store.CallFilter{
		{},
		{Statuses: []call.CallStatus{call.Completed, call.Scheduled}},
		{ScenarioID: "visit"},
		{CampaignID: r.in.Campaigns["running"]},
		{CampaignID: r.in.Campaigns["running"], People: store.AllPeople},
		{PhoneNumber: number},
		{NumberEnds: number[len(number)-3:]},
		{NumberContains: "9665"},
		{NumberContains: number[5:], MaxExamined: 10},
		{EndedBy: call.ByOperator},
		{NeedsPerson: true},
		{Name: "علي سا"},
	} {
		f.Limit = 7
		all = append(all, f)
		f.Sort, f.Ascending = store.SortByDueTime, true
		all = append(all, f)
	}
	all = append(all, store.CallFilter{NeedsPerson: true, Sort: store.SortByMark, Limit: 7})
	return append(all, store.CallFilter{AnswerSlot: "confirmed", AnswerValue: "true", Sort: store.SortByDueTime, Limit: 7})
}

// pageLimit returns how many calls a page must hold unless it is the last; 0 for a filter with a limit of examined calls.
func pageLimit(f store.CallFilter) int {
	if f.MaxExamined > 0 {
		return 0
	}
	return f.Limit
}

// damageReaders returns the readers: those that change nothing first, then the sweeps in an order in which each finds
// records.
func damageReaders() []damageReader { return append(lookingReaders(), sweepingReaders()...) }

func lookingReaders() []damageReader {
	return append([]damageReader{
		{method: "ListOrganizations", read: func(r *readerRun) error {
			return addAll[any](r)(anyOf(r.s.ListOrganizations(r.ctx)))
		}},
		{method: "ListKeys", read: func(r *readerRun) error { return addAll[any](r)(anyOf(r.s.ListKeys(r.ctx, fixture.OrgID))) }},
		{method: "ListUsers", read: func(r *readerRun) error {
			if err := addAll[any](r)(anyOf(r.s.ListUsers(r.ctx, ""))); err != nil {
				return err
			}
			return addAll[any](r)(anyOf(r.s.ListUsers(r.ctx, fixture.OrgID)))
		}},
		{method: "ListSessions", read: func(r *readerRun) error {
			return addAll[any](r)(anyOf(r.s.ListSessions(r.ctx, "amal", r.in.Now)))
		}},
		{method: "ListScenarios", read: func(r *readerRun) error {
			return addAll[any](r)(anyOf(r.s.ListScenarios(r.ctx, fixture.OrgID)))
		}},
		{method: "ListScenarioVersions", read: func(r *readerRun) error {
			return addAll[any](r)(anyOf(r.s.ListScenarioVersions(r.ctx, fixture.OrgID, "visit")))
		}},
		{method: "ListSuppressions", read: func(r *readerRun) error {
			return addPages(r, 200, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.ListSuppressions(r.ctx, fixture.OrgID, 200, cursor))
			})
		}},
		{method: "AuditTrail", read: func(r *readerRun) error {
			return addPages(r, 50, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.AuditTrail(r.ctx, fixture.OrgID, 50, cursor))
			})
		}},
		{method: "ReadAudit", read: func(r *readerRun) error {
			_, err := r.s.ReadAudit(r.ctx, fixture.OrgID, func(row store.AuditRow) error {
				if row.Fault == "" {
					add(r, row.Entry)
				}
				return nil
			})
			return err
		}},
		{method: "NextAudit", read: func(r *readerRun) error {
			for from, more := (store.AuditForwarding{}), true; more; {
				batch, err := r.s.NextAudit(r.ctx, fixture.OrgID, from, r.in.Now, 50)
				if err != nil {
					return err
				}
				for _, row := range batch.Rows {
					add(r, row.Entry)
				}
				from, more = batch.Next, batch.More
			}
			return nil
		}},
		{method: "ListDeliveries", read: func(r *readerRun) error {
			return addPages(r, 9, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.ListDeliveries(r.ctx, fixture.OrgID, "", 9, cursor))
			})
		}},
		{method: "DueDeliveries", read: func(r *readerRun) error {
			due, _, err := r.s.DueDeliveries(r.ctx, func(string) int { return 2 }, nil, r.later(), 2)
			if err = errors.Join(err, checkFull(len(due), 2)); err != nil {
				return err
			}
			due, _, err = r.s.DueDeliveries(r.ctx, roomForAll, nil, r.later(), 1000)
			return addAll[any](r)(anyOf(due, err))
		}},
		{method: "ListEvents", read: func(r *readerRun) error {
			return addPages(r, 9, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.ListEvents(r.ctx, fixture.OrgID, r.in.Destinations["all events"], "", 9, cursor))
			})
		}},
		{method: "DueEvents", read: func(r *readerRun) error {
			due, _, err := r.s.DueEvents(r.ctx, func(string) int { return 2 }, nil, r.later(), 2)
			if err = errors.Join(err, checkFull(len(due), 2)); err != nil {
				return err
			}
			due, _, err = r.s.DueEvents(r.ctx, roomForAll, nil, r.later(), 1000)
			return addAll[any](r)(anyOf(due, err))
		}},
		{method: "PendingBulk", read: func(r *readerRun) error { return addAll[string](r)(r.s.PendingBulk(r.ctx)) }},
		{method: "PendingReplays", read: func(r *readerRun) error { return addAll[string](r)(r.s.PendingReplays(r.ctx)) }},
		{method: "ListReplayResults", read: func(r *readerRun) error {
			return addPages(r, 1, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.ListReplayResults(r.ctx, fixture.OrgID, "running", "", 1, cursor))
			})
		}},
		{method: "WriteBackup", read: func(r *readerRun) error { return r.s.WriteBackup(r.ctx, io.Discard) }},
		{method: "RunningLive", read: func(r *readerRun) error { return addAll[any](r)(anyOf(r.s.RunningLive(r.ctx))) }},
		{method: "LiveSession", named: []string{"live"}, read: func(r *readerRun) error {
			l, err := r.s.LiveSession(r.ctx, fixture.OrgID, r.in.Live["ended"])
			return addAll[any](r)(anyOf(l.Segments, err))
		}},
		{method: "LiveSessions", read: func(r *readerRun) error {
			return addPages(r, 1, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.LiveSessions(r.ctx, fixture.OrgID, 1, cursor))
			})
		}},
		{method: "JobsPage", read: func(r *readerRun) error {
			return addPages(r, 2, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.JobsPage(r.ctx, fixture.OrgID, 2, cursor))
			})
		}},
		{method: "QueuedJobs", read: func(r *readerRun) error {
			_, all, err := r.s.QueuedJobs(r.ctx, fixture.OrgID)
			return addCount(r)(all, err)
		}},
		{method: "DueCallbacks", read: func(r *readerRun) error {
			due, _, err := r.s.DueCallbacks(r.ctx, nil, r.later(), 100)
			return addAll[any](r)(anyOf(due, err))
		}},
	}, callReaders()...)
}

// callReaders are the readers of calls and campaigns.
func callReaders() []damageReader {
	return []damageReader{
		{method: "CallsPage", kinds: []string{"call", "campaign"}, read: func(r *readerRun) error {
			for _, f := range r.callFilters() {
				err := addPages(r, pageLimit(f), func(cursor string) (store.ListPage[any], error) {
					f.Cursor = cursor
					return anyPage(r.s.CallsPage(r.ctx, fixture.OrgID, f))
				})
				if err != nil {
					return fmt.Errorf("filter %+v: %w", f, err)
				}
			}
			return nil
		}},
		{method: "SearchCalls", read: func(r *readerRun) error {
			f := store.CallFilter{Limit: 7}
			return addPages(r, 0, func(cursor string) (store.ListPage[any], error) {
				f.Cursor = cursor
				return anyPage(r.s.SearchCalls(r.ctx, fixture.OrgID, f, "x", func(c call.Call) (found, more bool) {
					return len(c.Messages) > 0, true
				}))
			})
		}},
		{method: "CountCalls", read: func(r *readerRun) error {
			for _, f := range r.callFilters()[:2] {
				if err := addCount(r)(r.s.CountCalls(r.ctx, fixture.OrgID, f, 1000)); err != nil {
					return fmt.Errorf("filter %+v: %w", f, err)
				}
			}
			return nil
		}},
		{method: "TallyCalls", read: func(r *readerRun) error {
			err := addAll[any](r)(anyOf(r.s.TallyCalls(r.ctx, fixture.OrgID, time.Time{}, time.Time{})))
			if err != nil {
				return err
			}
			from := fixture.StartTime().Truncate(24 * time.Hour)
			return addAll[any](r)(anyOf(r.s.TallyCalls(r.ctx, fixture.OrgID, from, from.Add(240*time.Hour))))
		}},
		{method: "CallTimeline", named: []string{"call"}, read: func(r *readerRun) error {
			return addAll[any](r)(anyOf(r.s.CallTimeline(r.ctx, fixture.OrgID, r.in.Calls["amended"])))
		}},
		{method: "DueCallsOf", read: func(r *readerRun) error {
			due, _, err := r.s.DueCallsOf(r.ctx, func(string) int { return 2 }, r.later(), 2)
			if err = errors.Join(err, checkFull(len(due), 2)); err != nil {
				return err
			}
			due, _, err = r.s.DueCallsOf(r.ctx, func(string) int { return math.MaxInt }, r.later(), 1000)
			return addAll[any](r)(anyOf(due, err))
		}},
		{method: "CountAttempts", read: func(r *readerRun) error {
			return addCount(r)(r.s.CountAttempts(r.ctx, fixture.OrgID, r.in.Numbers["completed"], time.Unix(0, 0), r.later()))
		}},
		{method: "CampaignsPage", read: func(r *readerRun) error {
			return addPages(r, 1, func(cursor string) (store.ListPage[any], error) {
				return anyPage(r.s.CampaignsPage(r.ctx, fixture.OrgID, 1, cursor))
			})
		}},
		{method: "WaitingCalls", read: func(r *readerRun) error {
			found, err := r.s.WaitingCalls(r.ctx, fixture.OrgID, r.later())
			for _, c := range found.Campaigns {
				add(r, c.ID)
			}
			return err
		}},
		{method: "DueCampaignCalls", read: func(r *readerRun) error {
			due, _, err := r.s.DueCampaignCalls(r.ctx, func(campaign.Campaign) int { return 1000 }, r.later(), 1000)
			return addAll[any](r)(anyOf(due, err))
		}},
	}
}

// sweepingReaders are the readers that change the store.
func sweepingReaders() []damageReader {
	return []damageReader{
		{
			method: "ChangeCampaign", named: []string{"campaign"},
			read: func(r *readerRun) error {
				c, err := r.s.ChangeCampaign(
					r.ctx, fixture.OrgID, r.in.Campaigns["paused"], store.CancelCampaign, "user:amal", r.in.Now)
				add(r, c.Status)
				return err
			},
		},
		{method: "RescueCalls", read: func(r *readerRun) error {
			rescued, err := r.s.RescueCalls(r.ctx, r.in.Now)
			for _, c := range rescued {
				add(r, c.ID)
			}
			return err
		}},
		{method: "RequeueRunning", read: func(r *readerRun) error {
			return addAll[any](r)(anyOf(r.s.RequeueRunning(r.ctx, r.in.Now)))
		}},
		{method: "ClaimJob", read: func(r *readerRun) error {
			for {
				j, found, err := r.s.ClaimJob(r.ctx, r.in.Now)
				if err != nil || !found {
					return err
				}
				add(r, j.ID)
			}
		}},
		{method: "ExpireJobs", read: func(r *readerRun) error {
			return addAll[any](r)(anyOf(r.s.ExpireJobs(r.ctx, r.later())))
		}},
		{method: "ErasePerson", read: func(r *readerRun) error {
			done, err := r.s.ErasePerson(r.ctx, fixture.OrgID, r.in.Numbers["transferred"], "user:amal", r.in.Now)
			add(r, done.Calls)
			return err
		}},
		{method: "ResumeErasures", read: func(r *readerRun) error {
			return addAll[string](r)(r.s.ResumeErasures(r.ctx, r.later()))
		}},
		{method: "ExpireRecordings", read: func(r *readerRun) error {
			return addAll[string](r)(r.s.ExpireRecordings(r.ctx, fixture.OrgID, r.later(), false, 1000))
		}},
		{method: "ExpireWords", read: func(r *readerRun) error {
			return addCount(r)(r.s.ExpireWords(r.ctx, fixture.OrgID, r.later(), 1000))
		}},
		{method: "ReplayEvents", named: []string{"destinations"}, read: func(r *readerRun) error {
			n, _, err := r.s.ReplayEvents(
				r.ctx, fixture.OrgID, r.in.Destinations["ends"], delivery.EventReplay{}, "user:amal", r.later())
			return addCount(r)(n, err)
		}},
		{method: "ExpireEvents", read: func(r *readerRun) error {
			return addCount(r)(r.s.ExpireEvents(r.ctx, r.later()))
		}},
		{method: "RemoveDestination", named: []string{"destinations"}, read: func(r *readerRun) error {
			removed, err := r.s.RemoveDestination(
				r.ctx, fixture.OrgID, r.in.Destinations["ends"], "user:amal", r.in.Now)
			add(r, removed.ID)
			return err
		}},
		{method: "ExpireReceipts", read: func(r *readerRun) error {
			return addCount(r)(r.s.ExpireReceipts(r.ctx, r.later()))
		}},
		{method: "ExpireLive", read: func(r *readerRun) error {
			return addCount(r)(r.s.ExpireLive(r.ctx, fixture.OrgID, r.later(), r.later()))
		}},
		{method: "ExpireSessions", read: func(r *readerRun) error {
			return addCount(r)(r.s.ExpireSessions(r.ctx, r.later()))
		}},
		{method: "EndSessions", read: func(r *readerRun) error {
			return addCount(r)(r.s.EndSessions(r.ctx, "amal", r.in.WebHash))
		}},
		{method: "ExpireOneTimes", read: func(r *readerRun) error {
			return addCount(r)(r.s.ExpireOneTimes(r.ctx, r.later()))
		}},
		{method: "ExpireWebSessions", read: func(r *readerRun) error {
			return addCount(r)(r.s.ExpireWebSessions(r.ctx, r.later()))
		}},
	}
}

// anyOf makes a list of any type one of any.
func anyOf[T any](all []T, err error) ([]any, error) {
	items := make([]any, len(all))
	for i := range all {
		items[i] = all[i]
	}
	return items, err
}

// anyPage makes a page of any type one of any.
func anyPage[T any](page store.ListPage[T], err error) (store.ListPage[any], error) {
	items, err := anyOf(page.Items, err)
	return store.ListPage[any]{Items: items, Next: page.Next}, err
}
