package console

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/cookie"
	"munadi/store"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// governors lets nobody in but those who govern the appliance; to others there is nothing.
func governors(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !visiting(c).User.Governs() {
			return echo.ErrNotFound
		}
		return next(c)
	}
}

// organizations shows all.
func (s *Service) organizations(c echo.Context) error {
	return s.organizationsPage(c, http.StatusOK, page.Organizations{})
}

func (s *Service) organizationsPage(c echo.Context, status int, p page.Organizations) error {
	v := visiting(c)
	all, err := s.organizationsSought(c)
	if err != nil {
		return err
	}
	all, p.List = paged(c, "/organizations", all)
	p.ConsolePage, p.Zone = s.frame(c, shell.Section("organizations"), text.UsersIn(v.Lang).Orgs), s.zone(c)
	for _, o := range all {
		p.All = append(p.All, page.Organization{ID: o.ID, Name: o.Name, Created: o.CreatedAt, Shown: o.ID == v.Org.ID})
	}
	return show(c, status, page.OrganizationsPage(p))
}

// organizationsSought are those that the search lets through.
func (s *Service) organizationsSought(c echo.Context) ([]org.Organization, error) {
	all, err := s.Store.Organizations(c.Request().Context())
	return sought(c, all, func(o org.Organization) []string { return []string{o.ID, o.Name} }), err
}

// exportOrganizations sends them as CSV.
func (s *Service) exportOrganizations(c echo.Context) error {
	all, err := s.organizationsSought(c)
	if err != nil {
		return err
	}
	return sendCSV(c, "organizations", []string{"id", "name", "created_at"}, all, func(o org.Organization) []string {
		return []string{o.ID, o.Name, instant(&o.CreatedAt)}
	})
}

// createOrganization adds one.
func (s *Service) createOrganization(c echo.Context) error {
	v, ctx, w, now := visiting(c), c.Request().Context(), text.UsersIn(visiting(c).Lang), s.Now().UTC()
	p := page.Organizations{ID: strings.TrimSpace(c.FormValue("id")), Name: strings.TrimSpace(c.FormValue("name"))}
	if p.Name == "" || len(p.Name) > 400 {
		p.Name = p.ID
	}
	err := s.Store.CreateOrganization(ctx, org.Organization{ID: p.ID, Name: p.Name, CreatedAt: now})
	switch store.CodeOf(err) {
	case "":
		line := store.Change{At: now, Actor: v.actor(), Action: "organization.create", Subject: p.ID}
		if err := s.Store.Note(ctx, p.ID, line); err != nil {
			return err
		}
		say(c, w.OrgMade)
		return see(c, Root+"/organizations")
	case store.CodeConflict:
		p.Fault = w.OrgTaken
	case store.CodeInvalid:
		p.Fault = w.OrgBad
	default:
		return err
	}
	return s.organizationsPage(c, http.StatusUnprocessableEntity, p)
}

// lookAt chooses the organization that the console shows to a governor from now on.
func (s *Service) lookAt(c echo.Context) error {
	o, err := s.Store.Organization(c.Request().Context(), c.Param("organization"))
	if err != nil {
		return err
	}
	cookie.Set(c, orgCookie, o.ID, 0)
	return see(c, Root)
}
