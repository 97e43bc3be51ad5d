package kit

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/audit"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// ActorNames maps the actors and subjects of the audit trail to display names.
type ActorNames struct {
	Users, Keys map[string]string // by id
	Lang        locale.Language
	Labels      ScenarioLabels
	Zone        *time.Location
}

// LoadActorNames loads the names of the organization's users and keys, and of users who govern it.
func (s *Console) LoadActorNames(c echo.Context) (ActorNames, error) {
	ctx, v := c.Request().Context(), RequestVisitor(c)
	n := ActorNames{
		Users: map[string]string{v.User.ID: v.User.Name}, Keys: map[string]string{}, Lang: v.Lang,
		Zone: s.OrganizationZone(c),
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return n, err
	}
	n.Labels = ScenarioLabels{scenarios, v.Lang}
	keys, err := s.Store.ListKeys(ctx, v.Org.ID)
	if err != nil {
		return n, err
	}
	for _, k := range keys {
		n.Keys[k.ID] = k.Name
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
			n.Users[u.ID] = u.Name
		}
	}
	return n, nil
}

// ActorName returns the display name of an actor of the audit trail.
func (n ActorNames) ActorName(actor string) string {
	switch actor {
	case "caller": // as who is called is named in the store
		return audit.Person.In(n.Lang)
	case "appliance", "scheduler", "dialler":
		return audit.Appliance.In(n.Lang)
	case "command line":
		return audit.CommandLine.In(n.Lang)
	case "identity provider":
		return audit.Provider.In(n.Lang)
	case "set-up link":
		return audit.SetUpLink.In(n.Lang)
	}
	kind, id, found := strings.Cut(actor, ":")
	switch {
	case found && kind == "user" && n.Users[id] != "":
		return n.Users[id]
	case found && kind == "key":
		return audit.Key.In(n.Lang) + " " + cmp.Or(n.Keys[id], id)
	case found && kind == "address":
		return audit.Address.In(n.Lang) + " " + id
	}
	return actor
}

// NewActorNamer returns a function that names the actors of calls: users by name, all others by their kind. It finds
// each user once.
func (s *Console) NewActorNamer(ctx context.Context, l locale.Language) func(actor string) string {
	known := map[string]string{}
	return func(actor string) string {
		kind, id, _ := strings.Cut(actor, ":")
		word := calls.CallActors.Word(l, kind)
		if kind != "user" {
			return word
		}
		if _, asked := known[id]; !asked {
			known[id] = word
			if u, err := s.Store.FindUser(ctx, id); err == nil {
				known[id] = u.Name
			}
		}
		return known[id]
	}
}

// AddAudit adds the visitor's action to the organization's audit trail, for actions that the store does not record
// itself.
func (s *Console) AddAudit(c echo.Context, action, subject, detail string) error {
	v := RequestVisitor(c)
	return s.Store.AddAudit(c.Request().Context(), v.Org.ID, store.AuditEntry{
		At: s.Now().UTC(), Actor: v.AuditActor(), Action: action, Subject: subject, Note: detail,
	})
}
