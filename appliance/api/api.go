// Package api is the door of the call platform: everything below /api/v1.
//
// It translates: JSON in, facts of the store, JSON out. It books, moves and cancels by writing into the store, where
// workers find it; it never calls a worker. What a call looks like is package wire's affair, what a link holds is
// package link's, the rules of hours, scenarios and receivers are those of the records. Its inner room, body, reads
// strangers' JSON. One file holds one action.
//
// The way a request takes, and where it may end:
//
//	401 key → 403 scope → 429 rate → 503 draining → 404 malformed or unknown id → 413 size → 400 no JSON
//	→ 409 idempotency → 422 every violation → 409 state → 2xx
//
// Choices where the contract is silent:
//
//   - A body is JSON whatever its Content-Type says, but for suppressions, which may be text/csv. Names that are not
//     known are violations, in bodies and in queries; so are parameters given twice.
//   - A booking up to 30 s in the past counts as now. A number that is suppressed, or whose destination is blocked,
//     is booked as any other: that is judged once, when the call is released. Variables that the scenario does not
//     name are kept; those that it requires must be there.
//   - retry wants max_attempts; delay_minutes may hold 0 to 10 waits of 0 to 43200 minutes. Which outcomes are
//     retried is the scenario's affair even then. Without retry the scenario's plan counts, without that none.
//   - An idempotency key belongs to the organization. Bodies are compared by meaning: order of names and spaces do
//     not count. A repeat carries Idempotency-Replayed: true. Refused bookings leave no trace under the key.
//   - In a list of calls the messages are left out (enhanced_transcript is empty); GET /calls/{id} has them.
//   - PUT /scenarios/{id} replaces; an id that nobody has is not_found, so that POST alone creates. A PUT on a
//     built-in one makes the organization's own copy, which DELETE removes again; a built-in one itself cannot be
//     deleted (409 conflict). POST with an id in use is 409 conflict; without an id, one is made.
//   - PUT /organization replaces all rules: what is left out goes back to its default. PUT /webhook wants url and
//     enabled; signing stays as it is when it is left out. A signing secret is shown in the one answer that made it.
//   - What a GET returned may be sent back with PUT: fields that only the platform sets are read and ignored.
//   - DELETE answers 200 with what was deleted.
//   - /people and /suppressions take a number with or without its plus sign.
//   - HEAD works wherever GET does.
package api

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/health"
	"munadi/appliance/link"
	"munadi/store/scenario"
)

// Root is where everything of this door lies.
const Root = link.Root

// Authenticator knows API keys; *auth.Auth is one.
type Authenticator interface {
	// Header finds the key in an Authorization header's value; an *auth.Refusal says that it names no live one.
	Header(ctx context.Context, value string) (auth.Principal, error)
}

// Recordings are the files of recorded calls; *blob.Folder is one.
type Recordings interface {
	// Open opens one; an error that is [io/fs.ErrNotExist] without it.
	Open(name string) (*os.File, error)
	// Remove removes one; one that is gone already is no error.
	Remove(name string) error
}

// Carrier says who carries the calls.
type Carrier struct {
	Name      string `json:"name"`
	Simulated bool   `json:"simulated"` // no telephone rings
}

// Deps is everything that the door needs; all fields must be set, but for Note and PerMinute.
type Deps struct {
	Store      Store
	Auth       Authenticator
	Now        func() time.Time
	Links      *link.Links
	Recordings Recordings
	BuiltIn    func() []scenario.Scenario
	// CheckURL says why a webhook may not go to an address, in a sentence for the person who set it; nil when it may.
	CheckURL func(ctx context.Context, url string) error
	Carrier  Carrier
	Health   *health.State
	// PerMinute is how many requests a key may make; 0: any number.
	PerMinute int
	// Note adds to a request's line in the log; nil does not.
	Note func(c echo.Context, key string, value any)
}

// Service is the door. It is safe for concurrent use.
type Service struct {
	Deps
	limits *limiter
}

// New returns a door.
func New(d Deps) *Service {
	if d.Note == nil {
		d.Note = func(echo.Context, string, any) {}
	}
	return &Service{Deps: d, limits: newLimiter(d.PerMinute)}
}

// Mount adds the routes to e. Failures are said by [Explain], which the listener's error handler asks by path.
func (s *Service) Mount(e *echo.Echo) {
	open := e.Group(Root, private)
	get(open, "/health", s.health)
	get(open, "/calls/:call_id/recording", s.recording)
	get(open, "/recordings/:call_id", s.download)

	read := e.Group(Root, private, s.authorize)
	write := e.Group(Root, private, s.authorize, s.admit)
	s.mountCalls(read, write)
	s.mountSettings(read, write)
}

func (s *Service) mountCalls(read, write *echo.Group) {
	get(read, "/calls", s.listCalls)
	get(read, "/calls/:call_id", s.getCall)
	write.POST("/calls", s.createCall)
	write.POST("/calls/:call_id/reschedule", s.rescheduleCall)
	write.POST("/calls/:call_id/cancel", s.cancelCall)
	write.POST("/calls/:call_id/hangup", s.hangupCall)
	write.DELETE("/people/:number", s.erasePerson)
}

func (s *Service) mountSettings(read, write *echo.Group) {
	get(read, "/scenarios", s.listScenarios)
	get(read, "/scenarios/:scenario_id", s.getScenario)
	write.POST("/scenarios", s.createScenario)
	write.PUT("/scenarios/:scenario_id", s.putScenario)
	write.DELETE("/scenarios/:scenario_id", s.deleteScenario)
	get(read, "/organization", s.getOrganization)
	write.PUT("/organization", s.putOrganization)
	get(read, "/suppressions", s.listSuppressions)
	write.POST("/suppressions", s.addSuppressions)
	write.DELETE("/suppressions/:number", s.deleteSuppression)
	get(read, "/webhook", s.getWebhook)
	write.PUT("/webhook", s.putWebhook)
	write.POST("/webhook/test", s.testWebhook)
	get(read, "/webhook/deliveries", s.listDeliveries)
	write.POST("/webhook/deliveries/:delivery_id/redeliver", s.redeliver)
}

// get serves GET and HEAD.
func get(g *echo.Group, path string, h echo.HandlerFunc) {
	g.Match([]string{http.MethodGet, http.MethodHead}, path, h)
}

// private keeps answers out of caches, and browsers from taking them for something else.
func private(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set(echo.HeaderCacheControl, "no-store")
		h.Set(echo.HeaderXContentTypeOptions, "nosniff")
		return next(c)
	}
}
