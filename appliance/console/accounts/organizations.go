package accounts

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/ui/accounts"
	"munadi/ui/form"
)

func (s handlers) showOrganizations(c echo.Context) error {
	blank := accounts.NewOrganization{}
	b := form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil)
	return s.organizationsPage(c, http.StatusOK, accounts.BindNewOrganization(b, &blank))
}

// organizationsPage shows the organizations above the form of a new one.
func (s handlers) organizationsPage(c echo.Context, status int, fields []form.Field) error {
	v := kit.RequestVisitor(c)
	all, err := s.Store.ListOrganizations(c.Request().Context())
	if err != nil {
		return err
	}
	p := accounts.OrganizationsView{
		ConsolePage: s.ConsoleFrame(c, accounts.Orgs.In(v.Lang)), Zone: s.OrganizationZone(c), Shown: v.Org.ID, Form: fields,
	}
	p.Section = "users" // which leads here
	p.All, p.TableList = kit.PageRows(c, "/organizations", accounts.OrganizationTable(p.Shown), all)
	return kit.RenderPage(c, status, accounts.OrganizationsPage(p))
}

// exportOrganizations exports the organizations as CSV.
func (s handlers) exportOrganizations(c echo.Context) error {
	all, err := s.Store.ListOrganizations(c.Request().Context())
	return kit.ExportRows(c, "organizations", accounts.OrganizationTable(""), all, err)
}

// createOrganization adds an organization.
func (s handlers) createOrganization(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := accounts.NewOrganization{}
	accounts.BindNewOrganization(kit.BindSent(c), &typed)
	_, err := s.UseCases.CreateOrganization(c.Request().Context(), v.AuditActor(), typed.ID, typed.Name)
	violation := form.Violation{Path: "id"}
	var broken *service.ViolationError
	switch {
	case err == nil:
		return kit.RedirectSaying(c, kit.Root+"/organizations", accounts.OrgMade.In(v.Lang))
	case errors.As(err, &broken):
		violation = form.Violation{Path: "name", Message: accounts.OrgNameLong.In(v.Lang)}
	case store.CodeOf(err) == store.CodeConflict:
		violation.Message = accounts.OrgTaken.In(v.Lang)
	case store.CodeOf(err) == store.CodeInvalid:
		violation.Message = accounts.OrgBad.In(v.Lang)
	default:
		return err
	}
	b := form.NewBinder(v.Lang, nil, []form.Violation{violation})
	return s.organizationsPage(c, http.StatusUnprocessableEntity, accounts.BindNewOrganization(b, &typed))
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
