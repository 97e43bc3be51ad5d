package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/strictjson"
)

// mountDestinations adds the routes of destinations of events.
func (s *APIService) mountDestinations(e *echo.Echo) {
	s.addReadRoute(e, "/destinations", s.listDestinations)
	s.addWriteRoute(e, http.MethodPost, "/destinations", s.createDestination)
	s.addReadRoute(e, "/destinations/:destination_id", s.getDestination)
	s.addWriteRoute(e, http.MethodPatch, "/destinations/:destination_id", s.patchDestination)
	s.addWriteRoute(e, http.MethodDelete, "/destinations/:destination_id", s.deleteDestination)
	s.addWriteRoute(e, http.MethodPost, "/destinations/:destination_id/replay", s.replayEvents)
	s.addReadRoute(e, "/destinations/:destination_id/deliveries", s.listEvents, "state", "limit", "cursor")
	s.addWriteRoute(
		e, http.MethodPost, "/destinations/:destination_id/deliveries/:delivery_id/redeliver", s.redeliverEvent)
}

// destinationBody is the request body of POST /destinations and PATCH /destinations/{id}.
type destinationBody struct {
	URL     *string   `json:"url"`
	Events  *[]string `json:"events"`
	Enabled *bool     `json:"enabled"`
	Rotate  bool      `json:"rotate_secret"` // only of PATCH

	ID            *string    `json:"id"` // read-only, as shown by GET
	Secrets       []any      `json:"secrets"`
	CreatedAt     time.Time  `json:"created_at"`
	UpdatedAt     time.Time  `json:"updated_at"`
	FailingSince  *time.Time `json:"failing_since"`
	SwitchedOffAt *time.Time `json:"switched_off_at"`
}

// readDestination reads the request body.
func readDestination(c echo.Context) (r service.DestinationRequest, err error) {
	parsed, err := readJSONObject(c)
	if err != nil {
		return r, err
	}
	var b destinationBody
	r.Violations = strictjson.BindValue(parsed, &b)
	r.URL, r.Enabled, r.Rotate = b.URL, b.Enabled, b.Rotate
	if b.Events != nil {
		events := eventTypes(*b.Events)
		r.Events = &events
	}
	return r, nil
}

// eventTypes returns names as event types; they are checked later.
func eventTypes(names []string) []delivery.EventType {
	events := []delivery.EventType{}
	for _, one := range names {
		events = append(events, delivery.EventType(one))
	}
	return events
}

// showDestination returns the body of a destination at this time.
func (s *APIService) showDestination(d delivery.Destination) apimodel.DestinationBody {
	return apimodel.DestinationOf(d, s.Now())
}

// listDestinations answers the destinations, the oldest first; there are at most [delivery.MaxDestinations].
func (s *APIService) listDestinations(c echo.Context) error {
	board, err := s.Store.FindDestinations(c.Request().Context(), requestPrincipal(c).OrgID)
	if err != nil && !store.IsUnreadable(err) { // the answer's warnings say so
		return err
	}
	return answerPage(c, http.StatusOK, bodiesOf(board.Destinations, s.showDestination), "")
}

// createDestination adds a destination (201). Its signing secret is shown only in this response.
func (s *APIService) createDestination(c echo.Context) error {
	r, err := readDestination(c)
	if err != nil {
		return err
	}
	if r.Rotate {
		r.Violations.AddViolation("rotate_secret", "must be false: a new destination has a new secret")
	}
	made, err := s.UseCases.CreateDestination(c.Request().Context(), requestCaller(c), r)
	if err != nil {
		return err
	}
	shown := s.showDestination(made)
	shown.Secret = &made.Secrets[0].Value
	s.setLocation(c, "/destinations/"+made.ID)
	return writeSuccess(c, http.StatusCreated, shown)
}

func (s *APIService) getDestination(c echo.Context) error {
	d, err := s.UseCases.FindDestination(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("destination_id"))
	return answerWith(c, http.StatusOK, d, err, s.showDestination)
}

// patchDestination changes what the body names. A new signing secret is shown only in this response.
func (s *APIService) patchDestination(c echo.Context) error {
	r, err := readDestination(c)
	if err != nil {
		return err
	}
	d, err := s.UseCases.ChangeDestination(c.Request().Context(), requestCaller(c), c.Param("destination_id"), r)
	return answerWith(c, http.StatusOK, d, err, func(d delivery.Destination) apimodel.DestinationBody {
		shown := s.showDestination(d)
		if r.Rotate {
			shown.Secret = &d.Secrets[0].Value
		}
		return shown
	})
}

// deleteDestination removes a destination with its deliveries, and answers what was deleted.
func (s *APIService) deleteDestination(c echo.Context) error {
	d, err := s.UseCases.RemoveDestination(c.Request().Context(), requestCaller(c), c.Param("destination_id"))
	return answerWith(c, http.StatusOK, d, err, s.showDestination)
}

// eventReplayBody is the request body of POST /destinations/{id}/replay.
type eventReplayBody struct {
	From   *time.Time `json:"from"`
	To     *time.Time `json:"to"`
	Events *[]string  `json:"events"`
	Failed bool       `json:"failed"`
}

// replayEvents queues what happened from a time on again (202).
func (s *APIService) replayEvents(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b eventReplayBody
	r := service.EventReplayRequest{Violations: strictjson.BindValue(parsed, &b)}
	r.From, r.To, r.Failed = b.From, b.To, b.Failed
	if b.Events != nil {
		r.Events = eventTypes(*b.Events)
	}
	done, err := s.UseCases.ReplayEvents(c.Request().Context(), requestCaller(c), c.Param("destination_id"), r)
	return answerWith(c, http.StatusAccepted, done, err, func(d service.Replayed) apimodel.EventReplayBody {
		return apimodel.EventReplayBody{Queued: d.Queued, More: apimodel.TimestampOrNull(d.More)}
	})
}

// listEvents answers the deliveries of events to a destination, newest first.
func (s *APIService) listEvents(c echo.Context) error {
	orgID, destination := requestPrincipal(c).OrgID, c.Param("destination_id")
	q := queryOf(c)
	state, limit, cursor := enumParam(q, "state", delivery.AllStates()), q.limitParam(), q.textParam("cursor")
	_, err := s.UseCases.FindDestination(c.Request().Context(), orgID, destination)
	if err != nil && !store.IsUnreadable(err) { // the deliveries can be read nevertheless
		return err
	}
	page, err := readLog(limit, cursor, func(limit int, cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListEvents(c.Request().Context(), orgID, destination, state, limit, cursor)
	})
	return answerList(c, q, page, err, apimodel.EventDeliveryOf)
}

// redeliverEvent queues an ended delivery again (202); 409 while it is pending.
func (s *APIService) redeliverEvent(c echo.Context) error {
	d, err := s.UseCases.RedeliverEvent(
		c.Request().Context(), requestCaller(c), c.Param("destination_id"), c.Param("delivery_id"))
	return answerWith(c, http.StatusAccepted, d, err, apimodel.EventDeliveryOf)
}
