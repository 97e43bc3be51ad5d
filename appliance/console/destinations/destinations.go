package destinations

import (
	"errors"
	"net/http"
	"strconv"

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

// deliveriesPerPage is the number of deliveries on a page.
const deliveriesPerPage = 25

func (s handlers) showDestination(c echo.Context) error {
	d, err := s.requestDestination(c)
	if err != nil {
		return err
	}
	return s.showOne(c, http.StatusOK, d, destinations.OneView{})
}

// showOne shows a destination with its forms, those of p if it has them, and the deliveries to it.
func (s handlers) showOne(c echo.Context, status int, d delivery.Destination, p destinations.OneView) error {
	v, cursor := kit.RequestVisitor(c), c.QueryParam("cursor")
	b, typed, replay := form.NewBinder(v.Lang, nil, nil), destinations.FormOf(d), destinations.ReplayForm{}
	if p.Form == nil {
		p.ReplacedSetting, p.Form = kit.ReplacedSetting(d, shownPart), destinations.BindForm(b, &typed)
	}
	if p.Replay == nil {
		p.Replay = destinations.BindReplay(b, &replay)
	}
	p.ConsolePage, p.Zone, p.Destination = s.ConsoleFrame(c, d.Host()), s.OrganizationZone(c), d
	p.Secrets = d.Setting().LiveSecrets(s.Now())
	p.Made = s.FlashSecrets.TakeSecret(v.Session, kit.DestinationSecret)
	var err error
	if p.State, err = kit.RequestDeliveryState(c); err != nil {
		return err
	}
	found, err := s.Store.ListEvents(c.Request().Context(), v.Org.ID, d.ID, p.State, deliveriesPerPage, cursor)
	if err != nil {
		return err
	}
	p.Deliveries = found.Items
	if p.Subjects, err = s.FindSubjects(c.Request().Context(), v, found.Items...); err != nil {
		return err
	}
	if found.Next != "" {
		p.Next = destinations.PageAddress(d.ID, p.State, found.Next)
	}
	if cursor != "" {
		p.First = destinations.PageAddress(d.ID, p.State, "")
	}
	return kit.RenderPage(c, status, destinations.OnePage(p))
}

// shownPart is what the form of a destination replaces.
func shownPart(d delivery.Destination) any { return destinations.FormOf(d) }

// saveDestination changes a destination, unless it was changed since it was shown.
func (s handlers) saveDestination(c echo.Context) error {
	d, err := s.requestDestination(c)
	if err != nil {
		return err
	}
	typed, shown, l := readForm(c), kit.ReadShown(c, shownPart), kit.RequestVisitor(c).Lang
	request := requestOf(typed)
	request.Seen = shown.IsUnchanged
	_, err = s.UseCases.ChangeDestination(c.Request().Context(), kit.RequestCaller(c), d.ID, request)
	if fields, broken := brokenFields(c, err, typed); broken {
		p := destinations.OneView{Form: fields, ReplacedSetting: form.ReplacedSetting{Revision: shown.Revision}}
		return s.showOne(c, http.StatusUnprocessableEntity, d, p)
	}
	if kit.IsStale(err) {
		saved, b := destinations.FormOf(shown.Kept), form.NewBinder(l, nil, nil)
		fields := destinations.BindForm(b, &typed)
		p := destinations.OneView{
			Form: fields, ReplacedSetting: shown.ConflictOf(l, destinations.BindForm(b, &saved), fields),
		}
		return s.showOne(c, http.StatusConflict, shown.Kept, p)
	}
	return kit.RedirectAfter(c, err, kit.Root+"/destinations/"+d.ID, destinations.Saved.In(l))
}

// rotateSecret makes a new signing secret, which the next page shows once; the old one also signs for one more day.
func (s handlers) rotateSecret(c echo.Context) error {
	v, id := kit.RequestVisitor(c), c.Param("destination")
	d, err := s.UseCases.ChangeDestination(
		c.Request().Context(), kit.RequestCaller(c), id, service.DestinationRequest{Rotate: true})
	if err != nil {
		return err
	}
	s.FlashSecrets.PutSecret(v.Session, kit.DestinationSecret, d.Secrets[0].Value)
	return kit.RedirectSaying(c, kit.Root+"/destinations/"+id, destinations.Rotated.In(v.Lang))
}

// replayEvents queues the events from a time on again.
func (s handlers) replayEvents(c echo.Context) error {
	v, zone := kit.RequestVisitor(c), s.OrganizationZone(c)
	d, err := s.requestDestination(c)
	if err != nil {
		return err
	}
	var typed destinations.ReplayForm
	destinations.BindReplay(kit.BindSent(c), &typed)
	r := service.EventReplayRequest{Failed: typed.Failed}
	if from, valid := kit.ParseFormTime(typed.From, zone); valid {
		r.From = &from
	}
	done, err := s.UseCases.ReplayEvents(c.Request().Context(), kit.RequestCaller(c), d.ID, r)
	var broken *service.ViolationError
	switch {
	case !d.Enabled && (errors.As(err, &broken) || store.CodeOf(err) == store.CodeConflict):
		kit.FlashProblem(c, destinations.IsOff.In(v.Lang))
	case errors.As(err, &broken):
		fields := destinations.BindReplay(form.NewBinder(v.Lang, nil, kit.FormViolations(broken.Violations)), &typed)
		return s.showOne(c, http.StatusUnprocessableEntity, d, destinations.OneView{Replay: fields})
	case err != nil:
		return err
	case done.More.IsZero():
		kit.FlashMessage(c, locale.FillSentence(destinations.Replayed.In(v.Lang), "n", strconv.Itoa(done.Queued)))
	default:
		kit.FlashMessage(c, locale.FillSentence(destinations.ReplayedPartly.In(v.Lang), "n", strconv.Itoa(done.Queued),
			"at", done.More.In(zone).Format("2006-01-02 15:04")))
	}
	return kit.RedirectTo(c, destinations.PageAddress(d.ID, "", ""))
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
	return kit.RedirectAfter(c, err, kit.Root+"/destinations", destinations.Deleted.In(kit.RequestVisitor(c).Lang))
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
