package destinations

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/ui/component"
	"munadi/ui/destinations"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// deliveriesPerPage is the number of deliveries on a page.
const deliveriesPerPage = 25

func (s handlers) showDestination(c echo.Context) error {
	d, err := s.requestDestination(c)
	if err != nil {
		return err
	}
	typed := destinations.FormOf(d)
	fields := destinations.BindForm(form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil), &typed)
	return s.showOne(c, http.StatusOK, d, fields)
}

// showOne shows a destination with its form, and the deliveries to it.
func (s handlers) showOne(c echo.Context, status int, d delivery.Destination, fields []form.Field) error {
	v, cursor := kit.RequestVisitor(c), c.QueryParam("cursor")
	p := destinations.OneView{
		ConsolePage: s.ConsoleFrame(c, d.Host()), Zone: s.OrganizationZone(c), Destination: d, Form: fields,
		State: delivery.DeliveryState(c.QueryParam("state")),
	}
	found, err := s.Store.ListEvents(c.Request().Context(), v.Org.ID, d.ID, p.State, deliveriesPerPage, cursor)
	if err != nil {
		return err
	}
	p.Deliveries = found.Items
	if found.Next != "" {
		p.Next = destinations.PageAddress(d.ID, p.State, found.Next)
	}
	if cursor != "" {
		p.First = destinations.PageAddress(d.ID, p.State, "")
	}
	return kit.RenderPage(c, status, destinations.OnePage(p))
}

// saveDestination changes a destination.
func (s handlers) saveDestination(c echo.Context) error {
	d, err := s.requestDestination(c)
	if err != nil {
		return err
	}
	typed, err := readForm(c)
	if err != nil {
		return err
	}
	_, err = s.UseCases.ChangeDestination(c.Request().Context(), kit.RequestCaller(c), d.ID, requestOf(typed))
	if fields, broken := brokenFields(c, err, typed); broken {
		return s.showOne(c, http.StatusUnprocessableEntity, d, fields)
	}
	if err != nil {
		return err
	}
	kit.FlashMessage(c, destinations.Saved.In(kit.RequestVisitor(c).Lang))
	return kit.RedirectTo(c, kit.Root+"/destinations/"+d.ID)
}

// askDelete asks for confirmation before a destination is deleted.
func (s handlers) askDelete(c echo.Context) error {
	d, err := s.requestDestination(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title: destinations.DeleteAsk.In(l), Do: locale.KitDelete.In(l), Danger: true,
		Back: kit.Root + "/destinations/" + d.ID, Text: "\u2066" + d.URL + "\u2069 · " + destinations.DeleteWhat.In(l),
		Action: kit.Root + "/destinations/" + d.ID + "/delete",
	})
}

// deleteDestination deletes a destination with its deliveries.
func (s handlers) deleteDestination(c echo.Context) error {
	_, err := s.UseCases.RemoveDestination(c.Request().Context(), kit.RequestCaller(c), c.Param("destination"))
	if err != nil {
		return err
	}
	kit.FlashMessage(c, destinations.Deleted.In(kit.RequestVisitor(c).Lang))
	return kit.RedirectTo(c, kit.Root+"/destinations")
}

// redeliverEvent queues a delivery again.
func (s handlers) redeliverEvent(c echo.Context) error {
	l, destination := kit.RequestVisitor(c).Lang, c.Param("destination")
	_, err := s.UseCases.RedeliverEvent(c.Request().Context(), kit.RequestCaller(c), destination, c.Param("event"))
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken):
		kit.FlashProblem(c, destinations.IsOff.In(l))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, locale.DeliveryUnderWay.In(l))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, locale.DeliveryResent.In(l))
	}
	return kit.RedirectTo(c, destinations.PageAddress(destination, "", ""))
}
