// Package api serves the call platform's REST API: everything below /api/v1.
//
// A handler parses JSON, calls a use case of package service and renders JSON; it reads from the store, and never calls
// a worker. The JSON of a call is defined in package apimodel, signed links in package signedurl, the rules of calling
// hours, scenarios and webhooks in the packages of these records. Package strictjson parses untrusted JSON. One file
// holds one action.
//
// The order of the checks of a request, with the status of each failure:
//
//	401 key → 403 scope → 429 rate limit → 503 draining → 422 query of a route without parameters → 404 malformed or
//	unknown id → 413 size → 400 no JSON → 409 idempotency → 422 every violation → 409 state, 412 precondition → 2xx
//
// Choices that the contract leaves open:
//
//   - A body is parsed as JSON whatever its Content-Type is, except suppressions, which may be text/csv. Unknown
//     names in bodies and queries are violations, and so are repeated parameters; but the health check and the links
//     to recordings, which probes and players call, ignore parameters of others.
//   - A booking up to 30 s in the past counts as now. A number that is suppressed, or whose destination is blocked,
//     is booked: this is checked when the call is released. Variables must be declared by the scenario; one that
//     declares none accepts any.
//   - retry requires max_attempts; delay_minutes may hold 0 to 10 waits of 0 to 43200 minutes. The outcomes that are
//     retried are always those of the scenario. Without retry the scenario's plan applies, or none without it.
//   - An idempotency key belongs to the organization. Bodies are compared as parsed JSON: the order of names and
//     white space make no difference. A repeat has the header Idempotency-Replayed: true. A refused booking does not
//     use up its key.
//   - In a list of calls the messages are left out (enhanced_transcript is empty); GET /calls/{id} has them. Metadata
//     and variables take 64 KiB each at most, since lists hold both. A page of the delivery log may hold fewer items
//     than its limit, once it holds a mebibyte of bodies.
//   - PUT /scenarios/{id} replaces; an unknown id is not_found, so that POST alone creates. A PUT on a
//     built-in one makes the organization's own copy, which DELETE removes again; a built-in one itself cannot be
//     deleted (409 conflict). POST with an id in use is 409 conflict; without an id, one is generated.
//   - A scenario without status is published, which removes its draft. GET, lists, ETag and If-Match are of the draft,
//     if there is one; published_version is the number of the version in force, 0 for a built-in one.
//   - Tests are run by the organization's rules and without a language model; their number is limited to 100, their
//     time to 30 s.
//   - PUT /organization replaces all rules except kill_switch, which it refuses: omitted ones are reset to their
//     defaults. If-Match is evaluated last, in the transaction of the change. PUT /webhook without a url
//     removes it; enabled defaults to true with a url; an omitted signing is not changed. A signing secret is shown
//     only in the response that created it.
//   - The response of a GET may be sent back with PUT (without kill_switch): read-only fields are accepted and ignored.
//   - DELETE answers 200 with what was deleted.
//   - /people and /suppressions take a number with or without its plus sign.
//   - HEAD works wherever GET does.
package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/evidence"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/monitor/health"
	"munadi/appliance/service"
)

// Root is the base path of all routes of this package.
const Root = signedurl.Root

// KeyAuthenticator authenticates API keys (bearer tokens); *auth.KeyVerifier is one.
type KeyAuthenticator interface {
	// VerifyHeader authenticates the value of an Authorization header; an *auth.KeyRefusal means that it names no
	// valid key.
	VerifyHeader(ctx context.Context, value string) (auth.Principal, error)
}

// CarrierInfo describes the carrier of the calls.
type CarrierInfo struct {
	Name      string `json:"name"`
	Simulated bool   `json:"simulated"` // the simulator: no real telephone rings
}

// Dependencies are the dependencies of the API; all fields except Note and Limit are required.
type Dependencies struct {
	Store    ReadStore         // for reading
	UseCases *service.UseCases // for changes, and recordings
	Auth     KeyAuthenticator
	Now      func() time.Time
	Links    *signedurl.SignedLinks
	Signer   evidence.SigningKey // signs what leaves the appliance as evidence
	Talk     service.TalkFunc
	Ring     service.RingFunc
	Carrier  CarrierInfo
	Health   *health.HealthState
	// Limit is the rate limiter: it counts a request of a key and returns how long to wait if the limit is exceeded;
	// nil: no limit.
	Limit func(keyID string) time.Duration
	// Note adds an attribute to a request's line in the access log; nil adds nothing.
	Note func(c echo.Context, key string, value any)
}

// APIService holds the handlers of the API. It is safe for concurrent use.
type APIService struct {
	Dependencies
	large *middleware.LargeBodies
}

// NewService returns the API's handlers; missing optional dependencies do nothing.
func NewService(d Dependencies) *APIService {
	if d.Note == nil {
		d.Note = func(echo.Context, string, any) {}
	}
	if d.Limit == nil {
		d.Limit = func(string) time.Duration { return 0 }
	}
	return &APIService{Dependencies: d, large: middleware.NewLargeBodies()}
}

// MountRoutes adds the routes to e. Error responses are made by [ExplainError], which the listener's error handler
// calls for these paths.
func (s *APIService) MountRoutes(e *echo.Echo) {
	addGetRoute(e, "/health", s.getHealth)
	addGetRoute(e, "/calls/:call_id/recording", s.redirectToRecording)
	addGetRoute(e, "/recordings/:call_id", s.downloadRecording)
	s.mountCalls(e)
	s.mountCampaigns(e)
	s.mountSettings(e)
	s.mountDestinations(e)
	s.addReadRoute(e, "/audit", s.exportAudit, "from", "to", "actor", "action")
	s.mountReplays(e)
}

func (s *APIService) mountCalls(e *echo.Echo) {
	s.addReadRoute(e, "/calls", s.listCalls, callParams...)
	s.addReadRoute(e, "/calls/:call_id", s.getCall)
	s.addReadRoute(e, "/calls/:call_id/trace", s.getCallTrace)
	s.addReadRoute(e, "/calls/:call_id/evidence", s.getEvidence)
	s.addWriteRoute(e, http.MethodPost, "/calls", s.createCall)
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/reschedule", s.rescheduleCall)
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/cancel", s.cancelCall)
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/hangup", s.hangupCall)
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/test", s.keepCallTest)
	s.mountAmendments(e)
	s.addWriteRoute(e, http.MethodDelete, "/calls/:call_id", s.eraseTrial)
	s.addWriteRoute(e, http.MethodDelete, "/people/:number", s.erasePerson)
}

func (s *APIService) mountSettings(e *echo.Echo) {
	s.addReadRoute(e, "/scenarios", s.listScenarios, pageParams...)
	s.addReadRoute(e, "/scenarios/:scenario_id", s.getScenario)
	s.addWriteRoute(e, http.MethodPost, "/scenarios", s.createScenario)
	s.addWriteRoute(e, http.MethodPut, "/scenarios/:scenario_id", s.putScenario)
	s.addWriteRoute(e, http.MethodDelete, "/scenarios/:scenario_id", s.deleteScenario)
	s.addWriteRoute(e, http.MethodPost, "/scenarios/:scenario_id/tests", s.testScenario)
	s.addReadRoute(e, "/scenarios/:scenario_id/phrase-proposals", s.listProposals)
	s.addWriteRoute(e, http.MethodPost, "/scenarios/:scenario_id/phrase-proposals/:proposal_id", s.decideProposal)
	s.addWriteRoute(e, http.MethodPost, "/scenarios/:scenario_id/ring", s.ringScenario)
	addGetRoute(e, "/scenarios/:scenario_id/talk", s.talkScenario,
		acceptKeyProtocol, s.requireScope, s.refuseWhileDraining, parseQuery("draft", "variables"))
	s.addReadRoute(e, "/organization", s.getOrganization)
	s.addWriteRoute(e, http.MethodPut, "/organization", s.putOrganization)
	s.addWriteRoute(e, http.MethodPatch, "/organization", s.patchOrganization)
	s.addReadRoute(e, "/inbound", s.getInbound)
	s.addWriteRoute(e, http.MethodPut, "/inbound", s.putInbound)
	s.addWriteRoute(e, http.MethodPost, "/inbound/simulate", s.simulateCaller)
	s.addReadRoute(e, "/suppressions", s.listSuppressions, pageParams...)
	s.addWriteRoute(e, http.MethodPost, "/suppressions", s.addSuppressions)
	s.addWriteRoute(e, http.MethodDelete, "/suppressions/:number", s.deleteSuppression)
	s.addReadRoute(e, "/webhook", s.getWebhook)
	s.addWriteRoute(e, http.MethodPut, "/webhook", s.putWebhook)
	s.addWriteRoute(e, http.MethodPost, "/webhook/test", s.testWebhook)
	s.addReadRoute(e, "/webhook/deliveries", s.listDeliveries, "state", "limit", "cursor")
	s.addWriteRoute(e, http.MethodPost, "/webhook/deliveries/:delivery_id/redeliver", s.redeliverWebhook)
}

// addReadRoute adds a route for GET and HEAD that needs a scope, with the parameters that its query may have.
func (s *APIService) addReadRoute(e *echo.Echo, path string, h echo.HandlerFunc, params ...string) {
	addGetRoute(e, path, h, s.requireScope, parseQuery(params...))
}

// addGetRoute adds a route for GET and HEAD.
func addGetRoute(e *echo.Echo, path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
	m = append([]echo.MiddlewareFunc{setPrivateHeaders}, m...)
	e.Match([]string{http.MethodGet, http.MethodHead}, Root+path, h, m...)
}

// addWriteRoute adds a route for a request that changes something: it needs a scope and is refused during graceful
// shutdown.
func (s *APIService) addWriteRoute(e *echo.Echo, method, path string, h echo.HandlerFunc) {
	e.Add(method, Root+path, h, setPrivateHeaders, s.requireScope, s.refuseWhileDraining, parseQuery(), s.holdLargeBody)
}

// holdLargeBody bounds the large bodies in memory.
func (s *APIService) holdLargeBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		defer s.large.HoldBody(c.Request(), requestPrincipal(c).OrgID)()
		return next(c)
	}
}

// setPrivateHeaders forbids caching (Cache-Control: no-store) and content sniffing (nosniff).
func setPrivateHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set(echo.HeaderCacheControl, "no-store")
		h.Set(echo.HeaderXContentTypeOptions, "nosniff")
		return next(c)
	}
}
