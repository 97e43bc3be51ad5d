package audit

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/evidence"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/audit"
	"munadi/ui/component"
	"munadi/ui/locale"
)

const (
	auditPageSize = 50
	// maxAuditSearched is the number of entries that one page of a search examines.
	maxAuditSearched = 5000
)

// showAudit shows the organization's audit trail, newest first.
func (s handlers) showAudit(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	filter, cursor := strings.TrimSpace(c.QueryParam("q")), c.QueryParam("cursor")
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	p := audit.View{
		Zone: s.OrganizationZone(c), Key: s.Signer.PublicKey(), Chains: kit.BuildURL(kit.Root+"/audit.jsonl", "q", filter),
	}
	p.TableList = component.TableList{
		Action: kit.Root + "/audit", Filter: filter, CSV: kit.BuildURL(kit.Root+"/audit.csv", "q", filter),
	}
	if c.QueryParam("verify") == "true" {
		found, err := s.Store.VerifyAudit(ctx, v.Org.ID)
		if err != nil {
			return err
		}
		p.Verified, p.Fault = true, found.Fault
	}
	lines, next, err := s.searchAudit(ctx, v, who, filter, cursor)
	if err != nil {
		return err
	}
	s.linkSubjects(ctx, v.Org.ID, lines)
	p.ConsolePage, p.Lines, p.Shown = s.ConsoleFrame(c, audit.Title.In(v.Lang)), lines, len(lines)
	if next != "" {
		p.Next = kit.BuildURL(kit.Root+"/audit", "q", filter, "cursor", next)
		p.Partly = filter != "" && len(lines) < auditPageSize
	}
	if cursor != "" {
		p.First = kit.BuildURL(kit.Root+"/audit", "q", filter)
	}
	return kit.RenderPage(c, http.StatusOK, audit.Page(p))
}

// searchAudit returns a page of entries that match the filter; next is the cursor at which the search stopped.
func (s handlers) searchAudit(
	ctx context.Context, v kit.Visitor, who kit.ActorNames, filter, cursor string,
) (lines []audit.Line, next string, err error) {
	for looked := 0; len(lines) < auditPageSize && looked < maxAuditSearched; {
		left := auditPageSize - len(lines) // no more than fit, so that no entry is lost between two pages
		found, err := s.Store.AuditTrail(ctx, v.Org.ID, left, cursor)
		if err != nil {
			return nil, "", err
		}
		matches := audit.DeclareTable(v.Lang).SearchRows(auditLines(who, found.Items), filter, kit.ContainsFold)
		lines = append(lines, matches...)
		looked += len(found.Items)
		if cursor = found.Next; cursor == "" {
			return lines, "", nil
		}
	}
	return lines, cursor, nil
}

// linkSubjects links the calls, trials, campaigns, destinations and versions of scenarios of a page's lines, and names
// a call by its number, a destination by its host. Those that were erased keep their id.
func (s handlers) linkSubjects(ctx context.Context, orgID string, lines []audit.Line) {
	for i := range lines {
		l := &lines[i]
		switch kind, _, _ := strings.Cut(l.Action, "."); kind {
		case "call":
			if found, err := s.Store.FindCall(ctx, orgID, l.Subject); err == nil {
				l.Href, l.Subject = kit.Root+"/calls/"+found.ID, cmp.Or(found.PhoneNumber, found.ID)
			}
		case "scenario":
			id, note, _ := strings.Cut(l.Stored, "\n")
			version, _ := strconv.Atoi(strings.TrimPrefix(note, "version "))
			if _, err := s.Store.FindScenarioVersion(ctx, orgID, id, version); version > 0 && err == nil {
				l.Href = kit.Root + "/scenarios/" + id + "/versions/" + strconv.Itoa(version)
			}
		case "trial":
			if found, err := s.Store.FindCall(ctx, orgID, l.Subject); err == nil {
				l.Href = kit.Root + "/calls/" + found.ID
			}
		case "destination":
			board, err := s.Store.FindDestinations(ctx, orgID)
			if found := board.FindDestination(l.Subject); err == nil && found != nil {
				l.Href, l.Subject = kit.Root+"/destinations/"+found.ID, found.Host()
			}
		case "replay":
			board, err := s.Store.FindReplays(ctx, orgID)
			if err == nil && board.FindReplay(l.Subject) != nil {
				l.Href, l.Subject, l.Detail = kit.Root+"/replays/"+l.Subject, l.Detail, ""
			}
		case "campaign":
			if found, err := s.Store.FindCampaign(ctx, orgID, l.Subject); err == nil {
				l.Href, l.Subject = kit.Root+"/campaigns/"+found.ID, cmp.Or(found.Name, found.ID)
			}
		}
	}
}

// auditLines returns audit entries for display.
func auditLines(n kit.ActorNames, entries []store.AuditEntry) []audit.Line {
	lines := make([]audit.Line, len(entries))
	for i, e := range entries {
		lines[i] = audit.Line{
			At: e.At, Actor: e.Actor, Who: n.ActorName(e.Actor), Action: e.Action,
			Subject: subjectName(n, e), Detail: noteText(n, e), Stored: e.Subject + "\n" + e.Note,
		}
	}
	return lines
}

// subjectName returns the display name of an entry's subject: a scenario by its name.
func subjectName(n kit.ActorNames, c store.AuditEntry) string {
	if strings.HasPrefix(c.Action, "scenario.") {
		return kit.ScenarioName(n.Labels.Scenarios, c.Subject)
	}
	return audit.AuditNote(n.Labels.Lang, c.Subject)
}

// noteText returns an entry's detail in the page's language: a scenario by its name, a time in the organization's zone.
func noteText(n kit.ActorNames, c store.AuditEntry) string {
	if strings.HasPrefix(c.Action, "replay.") || c.Action == "call.create" || c.Action == "trial.create" {
		return kit.ScenarioName(n.Labels.Scenarios, c.Note)
	}
	if c.Action == "call."+string(call.AmendCorrect) && c.Note != "" {
		return n.Labels.SlotLabels("", strings.Split(c.Note, ", "))
	}
	if at, err := time.Parse(time.RFC3339, strings.TrimPrefix(c.Note, "to ")); err == nil {
		return at.In(n.Zone).Format("2006-01-02 15:04")
	}
	return audit.AuditNote(n.Labels.Lang, c.Note)
}

// exportChains exports the audit trail, or its entries that match the filter, with their hashes and a signature: what
// munadi audit verify checks.
func (s handlers) exportChains(c echo.Context) error {
	v, filter := kit.RequestVisitor(c), strings.TrimSpace(c.QueryParam("q"))
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	var selected evidence.AuditSelection
	if filter != "" {
		table := audit.DeclareTable(v.Lang)
		selected.Words = map[string]string{"search": filter}
		selected.Keep = func(e store.AuditEntry) bool {
			return len(table.SearchRows(auditLines(who, []store.AuditEntry{e}), filter, kit.ContainsFold)) > 0
		}
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "application/x-ndjson")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="audit-`+v.Org.ID+`.jsonl"`)
	h.Set(echo.HeaderCacheControl, "no-store")
	return evidence.WriteAudit(c.Request().Context(), c.Response(), s.Store, s.Signer, v.Org.ID, selected, s.Now())
}

// exportAudit exports the audit trail, or its entries that match the filter, as CSV, newest first.
func (s handlers) exportAudit(c echo.Context) error {
	v, ctx, filter := kit.RequestVisitor(c), c.Request().Context(), strings.TrimSpace(c.QueryParam("q"))
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	table := audit.DeclareTable(v.Lang)
	return kit.SendTableCSV(c, kit.TableFile[audit.Line]{
		Name: "audit-" + v.Org.ID, Table: table, Header: locale.ColumnNames(v.Lang, table.ExportKeys()...),
		Read: func(cursor string) (store.ListPage[audit.Line], error) {
			found, err := s.Store.AuditTrail(ctx, v.Org.ID, kit.MaxStorePage, cursor)
			lines := table.SearchRows(auditLines(who, found.Items), filter, kit.ContainsFold)
			return store.ListPage[audit.Line]{Items: lines, Next: found.Next}, err
		},
	})
}
