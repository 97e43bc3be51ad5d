package rules

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/suppressions"
)

const (
	suppressionsPath    = kit.Root + "/rules/suppressions"
	suppressionPageSize = 50 // entries on a page; a page of a search ends with the part of the list that fills it
)

// listSuppressions shows a page of the suppression list, or the entries whose number contains the search digits.
func (s handlers) listSuppressions(c echo.Context) error {
	return s.suppressionsPage(c, http.StatusOK, suppressions.View{})
}

func (s handlers) suppressionsPage(c echo.Context, status int, p suppressions.View) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	p.ConsolePage = s.ConsoleFrame(c, locale.SuppressionList.In(v.Lang))
	p.Path = suppressionsPath
	p.Styles = append(p.Styles, "css/console-flows.css")
	p.May = v.User.Role.Allows(account.Operator)
	if p.Form == nil {
		p.Form = suppressions.BindEntry(form.NewBinder(v.Lang, nil, nil), &suppressions.NewEntry{})
	}
	p.Zone = s.OrganizationZone(c)
	p.Search = kit.WesternDigits(c.QueryParam("number"))
	found, err := s.findSuppressions(ctx, v.Org.ID, p.Search, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	p.Entries, p.Now = found.Items, s.Now()
	if found.Next != "" {
		p.Next = kit.BuildURL(suppressionsPath, "number", p.Search, "cursor", found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.First = suppressionsPath
	}
	return kit.RenderPage(c, status, suppressions.Page(p))
}

// findSuppressions returns a page of the list, or of the entries that match the search digits.
func (s handlers) findSuppressions(
	ctx context.Context, orgID, search, cursor string,
) (store.ListPage[callrules.SuppressionEntry], error) {
	if search == "" {
		return s.Store.ListSuppressions(ctx, orgID, suppressionPageSize, cursor)
	}
	var found store.ListPage[callrules.SuppressionEntry]
	digits := strings.Map(digitsOnly, search)
	for digits != "" {
		part, err := s.Store.ListSuppressions(ctx, orgID, kit.MaxStorePage, cursor)
		if err != nil {
			return found, err
		}
		for _, e := range part.Items {
			if strings.Contains(e.PhoneNumber, digits) {
				found.Items = append(found.Items, e)
			}
		}
		found.Next, cursor = part.Next, part.Next
		if cursor == "" || len(found.Items) >= suppressionPageSize {
			break
		}
	}
	return found, nil
}

func digitsOnly(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}
