package destinations

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/ui/destinations"
	"munadi/ui/form"
	"munadi/ui/locale"
)

func (s handlers) showDestinations(c echo.Context) error {
	b, typed := form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil), destinations.SettingsForm{Enabled: true}
	return s.showPage(c, http.StatusOK, destinations.BindForm(b, &typed))
}

// showPage shows the destinations above the form of a new one.
func (s handlers) showPage(c echo.Context, status int, fields []form.Field) error {
	v := kit.RequestVisitor(c)
	board, err := s.Store.FindDestinations(c.Request().Context(), v.Org.ID)
	if err != nil && !store.IsUnreadable(err) { // the page's notice says so
		return err
	}
	return kit.RenderPage(c, status, destinations.Page(destinations.View{
		ConsolePage: s.ConsoleFrame(c, destinations.Title.In(v.Lang)), Zone: s.OrganizationZone(c),
		Destinations: board.Destinations, Form: fields,
		Made: s.FlashSecrets.TakeSecret(v.Session, kit.DestinationSecret),
	}))
}

// createDestination adds a destination, whose secret the next page shows once.
func (s handlers) createDestination(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := readForm(c)
	made, err := s.UseCases.CreateDestination(c.Request().Context(), kit.RequestCaller(c), requestOf(typed))
	if fields, broken := brokenFields(c, err, typed); broken {
		return s.showPage(c, http.StatusUnprocessableEntity, fields)
	}
	if store.CodeOf(err) == store.CodeConflict {
		return kit.RedirectProblem(c, kit.Root+"/destinations", destinations.TooMany.In(v.Lang))
	}
	if err != nil {
		return err
	}
	s.FlashSecrets.PutSecret(v.Session, kit.DestinationSecret, made.Secrets[0].Value)
	return kit.RedirectTo(c, kit.Root+"/destinations")
}

// readForm reads the form of a destination.
func readForm(c echo.Context) (typed destinations.SettingsForm) {
	destinations.BindForm(kit.BindSent(c), &typed)
	return typed
}

// requestOf returns the request of a form.
func requestOf(typed destinations.SettingsForm) service.DestinationRequest {
	events := typed.EventTypes()
	return service.DestinationRequest{URL: &typed.URL, Events: &events, Enabled: &typed.Enabled}
}

// brokenFields returns the form with its faults, if err is about them.
func brokenFields(c echo.Context, err error, typed destinations.SettingsForm) ([]form.Field, bool) {
	var broken *service.ViolationError
	if !errors.As(err, &broken) {
		return nil, false
	}
	l := kit.RequestVisitor(c).Lang
	found := kit.FormViolations(broken.Violations)
	for i := range found {
		if found[i].Path == "url" {
			found[i].Message = locale.DescribeURLFault(l, found[i].Message)
		}
	}
	return destinations.BindForm(form.NewBinder(l, nil, found), &typed), true
}

// requestDestination finds the viewed organization's destination that the path names.
func (s handlers) requestDestination(c echo.Context) (delivery.Destination, error) {
	return s.UseCases.FindDestination(c.Request().Context(), kit.RequestVisitor(c).Org.ID, c.Param("destination"))
}
