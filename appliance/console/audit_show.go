package console

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/audit"
	"munadi/ui/locale"
)

const (
	auditPageSize = 50
	// maxAuditSearched is the number of entries that one page of a search examines.
	maxAuditSearched = 5000
)

// showAudit shows the organization's audit trail, newest first.
func (s *ConsoleService) showAudit(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	filter, cursor := strings.TrimSpace(c.QueryParam("q")), c.QueryParam("cursor")
	who, err := s.loadActorNames(c)
	if err != nil {
		return err
	}
	p := audit.View{Filter: filter, Zone: s.OrganizationZone(c), CSV: kit.BuildURL(kit.Root+"/audit.csv", "q", filter)}
	lines, next, err := s.searchAudit(ctx, v, who, filter, cursor)
	if err != nil {
		return err
	}
	p.ConsolePage, p.Lines = s.ConsoleFrame(c, audit.Title.In(v.Lang)), lines
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
func (s *ConsoleService) searchAudit(
	ctx context.Context, v kit.Visitor, who actorNames, filter, cursor string,
) (lines []audit.Line, next string, err error) {
	for looked := 0; len(lines) < auditPageSize && looked < maxAuditSearched; {
		left := auditPageSize - len(lines) // no more than fit, so that no entry is lost between two pages
		found, err := s.Store.AuditTrail(ctx, v.Org.ID, left, cursor)
		if err != nil {
			return nil, "", err
		}
		for _, change := range found.Items {
			if line := who.auditLine(change); matchesAuditFilter(v.Lang, line, change, filter) {
				lines = append(lines, line)
			}
		}
		looked += len(found.Items)
		if cursor = found.Next; cursor == "" {
			return lines, "", nil
		}
	}
	return lines, cursor, nil
}

// matchesAuditFilter reports whether an entry contains the search text, in its displayed or its stored form.
func matchesAuditFilter(l locale.Language, line audit.Line, stored store.AuditEntry, filter string) bool {
	if filter == "" {
		return true
	}
	return containsFold(strings.Join([]string{
		line.Who, line.Action, audit.ActionName(l, line.Action), line.Subject, line.Detail, stored.Subject, stored.Note,
	}, "\n"), filter)
}

// actorNames maps the actors and subjects of the audit trail to display names.
type actorNames struct {
	users, keys map[string]string // by id
	lang        locale.Language
	labels      scenarioLabels
	zone        *time.Location
}

// loadActorNames loads the names of the organization's users and keys, and of users who govern it.
func (s *ConsoleService) loadActorNames(c echo.Context) (actorNames, error) {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	n := actorNames{
		users: map[string]string{v.User.ID: v.User.Name}, keys: map[string]string{}, lang: v.Lang,
		zone: s.OrganizationZone(c),
	}
	scenarios, err := s.listScenariosFor(ctx, v)
	if err != nil {
		return n, err
	}
	n.labels = scenarioLabels{scenarios, v.Lang}
	keys, err := s.Store.ListKeys(ctx, v.Org.ID)
	if err != nil {
		return n, err
	}
	for _, k := range keys {
		n.keys[k.ID] = k.Name
	}
	orgs := []string{v.Org.ID}
	if v.User.IsGovernor() {
		orgs = append(orgs, v.User.OrgID)
	}
	for _, id := range orgs {
		all, err := s.Store.ListUsers(ctx, id)
		if err != nil {
			return n, err
		}
		for _, u := range all {
			n.users[u.ID] = u.Name
		}
	}
	return n, nil
}

// auditLine returns an audit entry for display.
func (n actorNames) auditLine(c store.AuditEntry) audit.Line {
	return audit.Line{
		At: c.At, Who: n.actorName(c.Actor), Action: c.Action, Subject: n.subjectName(c), Detail: n.noteText(c),
	}
}

// subjectName returns the display name of an entry's subject: a scenario by its name.
func (n actorNames) subjectName(c store.AuditEntry) string {
	if strings.HasPrefix(c.Action, "scenario.") {
		return scenarioName(n.labels.scenarios, c.Subject)
	}
	return audit.AuditNote(n.labels.lang, c.Subject)
}

// noteText returns an entry's detail in the page's language: a scenario by its name, a time in the organization's zone.
func (n actorNames) noteText(c store.AuditEntry) string {
	if c.Action == "call.create" {
		return scenarioName(n.labels.scenarios, c.Note)
	}
	if c.Action == "call."+string(call.AmendCorrect) && c.Note != "" {
		return n.labels.slotLabels("", strings.Split(c.Note, ", "))
	}
	if at, err := time.Parse(time.RFC3339, strings.TrimPrefix(c.Note, "to ")); err == nil {
		return at.In(n.zone).Format("2006-01-02 15:04")
	}
	return audit.AuditNote(n.labels.lang, c.Note)
}

func (n actorNames) actorName(actor string) string {
	switch actor {
	case "appliance":
		return audit.Appliance.In(n.lang)
	case "command line":
		return audit.CommandLine.In(n.lang)
	case "set-up link":
		return audit.SetUpLink.In(n.lang)
	}
	kind, id, found := strings.Cut(actor, ":")
	switch {
	case found && kind == "user" && n.users[id] != "":
		return n.users[id]
	case found && kind == "key":
		return audit.Key.In(n.lang) + " " + cmp.Or(n.keys[id], id)
	case found && kind == "address":
		return audit.Address.In(n.lang) + " " + id
	}
	return actor
}
