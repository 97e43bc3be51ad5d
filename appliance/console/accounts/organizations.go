package accounts

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/accounts"
)

func (s handlers) showOrganizations(c echo.Context) error {
	return s.organizationsPage(c, http.StatusOK, accounts.OrganizationsView{})
}

func (s handlers) organizationsPage(c echo.Context, status int, p accounts.OrganizationsView) error {
	v := kit.RequestVisitor(c)
	all, err := s.searchOrganizations(c)
	if err != nil {
		return err
	}
	all, p.TableList = kit.PageLines(c, "/organizations", all)
	p.ConsolePage = s.ConsoleFrame(c, accounts.Orgs.In(v.Lang))
	p.Zone = s.OrganizationZone(c)
	for _, o := range all {
		p.All = append(p.All, accounts.OrganizationRow{ID: o.ID, Name: o.Name, Created: o.CreatedAt, Shown: o.ID == v.Org.ID})
	}
	return kit.RenderPage(c, status, accounts.OrganizationsPage(p))
}

// searchOrganizations returns the organizations that match the search.
func (s handlers) searchOrganizations(c echo.Context) ([]account.Organization, error) {
	all, err := s.Store.ListOrganizations(c.Request().Context())
	return kit.SearchLines(c, all, func(o account.Organization) []string { return []string{o.ID, o.Name} }), err
}

// exportOrganizations exports the organizations as CSV.
func (s handlers) exportOrganizations(c echo.Context) error {
	all, err := s.searchOrganizations(c)
	if err != nil {
		return err
	}
	columns := []string{"id", "name", "created_at"}
	return kit.SendCSV(c, "organizations", columns, all, func(o account.Organization) []string {
		return []string{o.ID, o.Name, kit.FormatTimestamp(&o.CreatedAt)}
	})
}

// createOrganization adds an organization.
func (s handlers) createOrganization(c echo.Context) error {
	v := kit.RequestVisitor(c)
	p := accounts.OrganizationsView{ID: strings.TrimSpace(c.FormValue("id")), Name: strings.TrimSpace(c.FormValue("name"))}
	_, err := s.UseCases.CreateOrganization(c.Request().Context(), v.AuditActor(), p.ID, p.Name)
	var broken *service.ViolationError
	switch {
	case err == nil:
		kit.FlashMessage(c, accounts.OrgMade.In(v.Lang))
		return kit.RedirectTo(c, kit.Root+"/organizations")
	case errors.As(err, &broken):
		p.Fault = accounts.OrgNameLong.In(v.Lang)
	case store.CodeOf(err) == store.CodeConflict:
		p.Fault = accounts.OrgTaken.In(v.Lang)
	case store.CodeOf(err) == store.CodeInvalid:
		p.Fault = accounts.OrgBad.In(v.Lang)
	default:
		return err
	}
	return s.organizationsPage(c, http.StatusUnprocessableEntity, p)
}

// selectOrganization selects the organization that a governor views from now on.
func (s handlers) selectOrganization(c echo.Context) error {
	o, err := s.Store.FindOrganization(c.Request().Context(), c.Param("organization"))
	if err != nil {
		return err
	}
	cookie.SetCookie(c, kit.OrgCookie, o.ID, 0)
	return kit.RedirectTo(c, kit.Root)
}
