package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/body"
	"munadi/store"
)

// Type tells failures apart; clients branch on it.
type Type string

// The types.
const (
	TypeValidation     Type = "validation_error"
	TypeMalformed      Type = "malformed_request"
	TypeAuthentication Type = "authentication_error"
	TypePermission     Type = "permission_error"
	TypeNotFound       Type = "not_found"
	TypeMethod         Type = "method_not_allowed"
	TypeReleased       Type = "call_already_released"
	TypeNotActive      Type = "call_not_active"
	TypeNoRecording    Type = "recording_not_available"
	TypeIdempotency    Type = "idempotency_conflict"
	TypeConflict       Type = "conflict"
	TypeTooLarge       Type = "payload_too_large"
	TypeMediaType      Type = "unsupported_media_type"
	TypeRange          Type = "range_not_satisfiable"
	TypeRateLimited    Type = "rate_limited"
	TypeInternal       Type = "internal_error"
	TypeUnavailable    Type = "unavailable"
)

const (
	internalMessage    = "Something went wrong on our side; quote the request id when you report it"
	retryAfterDraining = 10 * time.Second
	noRoomMessage      = "Nothing can be stored at the moment: the service's disk is full or read-only"
	retryNoRoom        = time.Minute
)

// refusal is a failure as the client sees it. err is the cause, for the log only.
type refusal struct {
	status     int
	kind       Type
	message    string
	violations body.Violations
	retryAfter time.Duration
	err        error
}

func (r *refusal) Error() string {
	if r.err != nil {
		return fmt.Sprintf("%d %s: %v", r.status, r.message, r.err)
	}
	return fmt.Sprintf("%d %s", r.status, r.message)
}

func (r *refusal) Unwrap() error { return r.err }

// Meant says that the failure is part of the service, and nothing that an operator should look at.
func (r *refusal) Meant() bool { return r.err == nil }

func refuse(status int, kind Type, message string) *refusal {
	return &refusal{status: status, kind: kind, message: message}
}

func notFound() *refusal {
	return refuse(http.StatusNotFound, TypeNotFound, "There is no such thing in this organization")
}

// invalid is the 422 of violations; nil when there are none.
func invalid(v body.Violations) error {
	if len(v) == 0 {
		return nil
	}
	message := "The request breaks a rule: " + v[0].Field + " " + v[0].Message
	switch {
	case v[0].Field == "":
		message = "The request " + v[0].Message
	case len(v) > 1:
		message = fmt.Sprintf("The request breaks %d rules; field_violations names them", len(v))
	}
	return &refusal{
		status: http.StatusUnprocessableEntity, kind: TypeValidation, message: message, violations: v,
	}
}

// violation is the 422 of one field.
func violation(field, format string, args ...any) error {
	var v body.Violations
	v.Add(field, format, args...)
	return invalid(v)
}

// failure is every failure's body.
type failure struct {
	Error fault `json:"error"`
	Meta  meta  `json:"meta"`
}

type fault struct {
	Type       Type            `json:"type"`
	Message    string          `json:"message"`
	Violations body.Violations `json:"field_violations"`
}

// Explain says what the client sees of an error below [Root]: the status and the seed's envelope, whoever failed. It
// sets the headers that belong to it.
func Explain(c echo.Context, err error) (int, []byte) {
	r := refusalOf(err)
	h := c.Response().Header()
	h.Set(echo.HeaderCacheControl, "no-store")
	if r.status == http.StatusUnauthorized {
		h.Set(echo.HeaderWWWAuthenticate, "Bearer")
	}
	if r.retryAfter > 0 {
		h.Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(r.retryAfter.Seconds()))))
	}
	if r.violations == nil {
		r.violations = body.Violations{}
	}
	out, bad := json.Marshal(failure{fault{r.kind, r.message, r.violations}, meta{requestID(c)}})
	if bad != nil {
		return http.StatusInternalServerError, nil
	}
	return r.status, out
}

// refusalOf finds the words for what a layer below said. What it does not know is our fault.
func refusalOf(err error) *refusal {
	var (
		own       *refusal
		malformed *body.Error
		he        *echo.HTTPError
	)
	switch {
	case errors.As(err, &own):
		r := *own
		return &r
	case errors.As(err, &malformed):
		return refuse(http.StatusBadRequest, TypeMalformed, malformed.Message)
	case errors.As(err, &he):
		return ofStatus(he)
	case store.CodeOf(err) == store.CodeNotFound:
		return notFound()
	case store.CodeOf(err) == store.CodeClosed:
		return unavailable()
	case store.IsNoRoom(err):
		return &refusal{
			status: http.StatusServiceUnavailable, kind: TypeUnavailable, message: noRoomMessage, retryAfter: retryNoRoom,
		}
	}
	return &refusal{status: http.StatusInternalServerError, kind: TypeInternal, message: internalMessage, err: err}
}

// ofStatus names the failures of the router and of what every request passes.
func ofStatus(he *echo.HTTPError) *refusal {
	switch he.Code {
	case http.StatusNotFound:
		return refuse(he.Code, TypeNotFound, "There is nothing at this address")
	case http.StatusMethodNotAllowed:
		return refuse(he.Code, TypeMethod, "This address does not take that method; the Allow header lists those it does")
	case http.StatusRequestEntityTooLarge:
		return refuse(he.Code, TypeTooLarge, "The body is too large")
	case http.StatusTooManyRequests:
		return refuse(he.Code, TypeRateLimited, "Too many requests")
	case http.StatusServiceUnavailable:
		r := unavailable()
		if sentence, ok := he.Message.(string); ok {
			r.message, r.retryAfter = sentence, 0 // the edge has set the header
		}
		return r
	}
	if he.Code >= http.StatusBadRequest && he.Code < http.StatusInternalServerError {
		return refuse(he.Code, TypeMalformed, http.StatusText(he.Code))
	}
	return &refusal{status: http.StatusInternalServerError, kind: TypeInternal, message: internalMessage, err: he}
}

func unavailable() *refusal {
	return &refusal{
		status: http.StatusServiceUnavailable, kind: TypeUnavailable, message: "The service is shutting down",
		retryAfter: retryAfterDraining,
	}
}
