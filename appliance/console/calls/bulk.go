package calls

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/bulk"
	"munadi/store/call"
	"munadi/ui/calls"
)

// askBulk shows how many scheduled calls match a filter, and the possible bulk changes.
func (s handlers) askBulk(c echo.Context) error {
	filter := kit.CallsFilter(c)
	if len(kit.FindFilterFaults(c)) > 0 {
		return kit.RedirectToFaults(c, calls.CallsPath)
	}
	if filter.Said != "" {
		return kit.RefuseTextSearch(c, filter)
	}
	return s.bulkPage(c, http.StatusOK, filter, "")
}

func (s handlers) bulkPage(c echo.Context, status int, f calls.CallsFilter, fault string) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	zone := kit.RulesZone(rules)
	n, err := s.countScheduled(ctx, v.Org.ID, f, zone)
	if err != nil {
		return err
	}
	now := s.Now().In(zone)
	p := calls.BulkView{
		ConsolePage: s.ConsoleFrame(c, calls.BulkTitle.In(v.Lang)), Count: n, Fault: fault,
		Query: kit.CallsQuery(f, "").Encode(), Back: kit.CallsURL(calls.CallsPath, f, ""), Zone: zone.String(),
		Earliest: now.Add(10 * time.Minute).Format(kit.DatetimeLocal),
		Latest:   now.Add(call.MaxAhead).Format(kit.DatetimeLocal),
	}
	return kit.RenderPage(c, status, calls.BulkPage(p))
}

// countScheduled counts the scheduled calls that match a filter: from the counters of the list's chips if possible,
// since counting thousands of calls takes long.
func (s handlers) countScheduled(
	ctx context.Context, orgID string, f calls.CallsFilter, zone *time.Location,
) (int, error) {
	if f.Slot == "" {
		counts, err := s.countByFilter(ctx, orgID, f, zone)
		if err != nil || counts.Known {
			return min(counts.Groups[string(call.Scheduled)], service.MaxBulkCalls), err
		}
	}
	filter := kit.StoreFilter(f, zone)
	filter.Statuses, filter.EndedBy, filter.NotEndedBy = []call.CallStatus{call.Scheduled}, "", ""
	return s.Store.CountCalls(ctx, orgID, filter, service.MaxBulkCalls)
}

// startBulk starts a change of all scheduled calls that match a filter; it begins when the time to undo it has passed.
func (s handlers) startBulk(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	f := savedFilter(c.FormValue("query"))
	if f.Said != "" {
		return kit.RefuseTextSearch(c, f)
	}
	var at time.Time
	if c.FormValue("action") == "move" {
		var ok bool
		if at, ok = kit.ParseFormTime(c.FormValue("at"), kit.RulesZone(rules)); !ok {
			return s.bulkPage(c, http.StatusUnprocessableEntity, f, calls.BulkBad.In(v.Lang))
		}
	}
	filter := kit.StoreFilter(f, kit.RulesZone(rules))
	filter.EndedBy, filter.NotEndedBy = "", ""
	change, err := s.UseCases.StartBulk(ctx, kit.RequestCaller(c), filter, at)
	if store.CodeOf(err) == store.CodeInvalid {
		return s.bulkPage(c, http.StatusUnprocessableEntity, f, calls.BulkBad.In(v.Lang))
	}
	if errors.Is(err, service.ErrBulkFull) {
		c.Response().Header().Set(echo.HeaderRetryAfter, "60")
		return s.bulkPage(c, http.StatusTooManyRequests, f, calls.BulkFull.In(v.Lang))
	}
	if err != nil {
		return err
	}
	return kit.RedirectTo(c, calls.CallsPath+"/bulk/"+change.ID)
}

// showBulk shows a bulk change: the remaining time to undo it, its progress, its result.
func (s handlers) showBulk(c echo.Context) error {
	v := kit.RequestVisitor(c)
	change, err := s.UseCases.FindBulk(c.Request().Context(), v.Org.ID, c.Param("id"))
	// An ended change is kept for a day at most.
	if store.CodeOf(err) == store.CodeNotFound && uuid.Validate(c.Param("id")) == nil {
		return kit.RedirectProblem(c, calls.CallsPath, calls.BulkLost.In(v.Lang))
	}
	if err != nil {
		return err
	}
	p := calls.BulkChangeView{ConsolePage: s.ConsoleFrame(c, calls.BulkTitle.In(v.Lang)), BulkChange: change}
	if wait := change.BeginsAt.Sub(s.Now()); change.State == bulk.Waiting {
		p.Seconds = int(max(wait, 0)/time.Second) + 1
	}
	if p.Module = "js/console-bulk.js"; !change.HasEnded() {
		p.Live = calls.CallsPath + "/events"
	}
	return kit.RenderPage(c, http.StatusOK, calls.BulkChangePage(p))
}

// undoBulk cancels a waiting bulk change.
func (s handlers) undoBulk(c echo.Context) error {
	v := kit.RequestVisitor(c)
	switch err := s.UseCases.UndoBulk(c.Request().Context(), v.Org.ID, c.Param("id")); {
	case store.CodeOf(err) == store.CodeConflict:
		return kit.RedirectProblem(c, calls.CallsPath+"/bulk/"+c.Param("id"), calls.BulkLate.In(v.Lang))
	case err != nil:
		return err
	}
	return kit.RedirectSaying(c, calls.CallsPath, calls.BulkUndone.In(v.Lang))
}
