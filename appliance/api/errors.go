package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/strictjson"
)

// ErrorType is error.type of an error response: a stable identifier for clients.
type ErrorType string

// The error types of the contract.
const (
	TypeValidation     ErrorType = "validation_error"
	TypeMalformed      ErrorType = "malformed_request"
	TypeAuthentication ErrorType = "authentication_error"
	TypePermission     ErrorType = "permission_error"
	TypeNotFound       ErrorType = "not_found"
	TypeMethod         ErrorType = "method_not_allowed"
	TypeReleased       ErrorType = ErrorType(service.CallReleased)
	TypeNotActive      ErrorType = ErrorType(service.CallNotActive)
	TypeNoRecording    ErrorType = "recording_not_available"
	TypeIdempotency    ErrorType = ErrorType(service.KeyReused)
	TypeConflict       ErrorType = ErrorType(service.StateForbidden)
	TypePrecondition   ErrorType = ErrorType(service.Stale)
	TypeTooLarge       ErrorType = "payload_too_large"
	TypeMediaType      ErrorType = "unsupported_media_type"
	TypeTimeout        ErrorType = "request_timeout"
	TypeRange          ErrorType = "range_not_satisfiable"
	TypeRateLimited    ErrorType = "rate_limited"
	TypeInternal       ErrorType = "internal_error"
	TypeUnavailable    ErrorType = "unavailable"
)

const (
	internalMessage    = "Internal error; quote the request id when you report it"
	retryAfterDraining = 10 * time.Second
	noRoomMessage      = "Nothing can be stored at the moment: the service's disk is full or read-only"
	retryNoRoom        = time.Minute
)

// apiError is an error response. err is the cause, for the log only.
type apiError struct {
	status     int
	kind       ErrorType
	message    string
	violations service.FieldViolations
	retryAfter time.Duration
	err        error
}

func (r *apiError) Error() string {
	if r.err != nil {
		return fmt.Sprintf("%d %s: %v", r.status, r.message, r.err)
	}
	return fmt.Sprintf("%d %s", r.status, r.message)
}

func (r *apiError) Unwrap() error { return r.err }

// Meant reports that the failure is an expected refusal, which is not logged as an error.
func (r *apiError) Meant() bool { return r.err == nil }

func newAPIError(status int, kind ErrorType, message string) *apiError {
	return &apiError{status: status, kind: kind, message: message}
}

func notFound() *apiError {
	return newAPIError(http.StatusNotFound, TypeNotFound, "Not found in this organization")
}

// newValidationError returns the 422 validation_error of violations; nil when there are none.
func newValidationError(v service.FieldViolations) error {
	if len(v) == 0 {
		return nil
	}
	return newViolations(v)
}

// newViolations returns the 422 validation_error of one violation or more.
func newViolations(v service.FieldViolations) *apiError {
	message := "The request is invalid: " + v[0].Field + " " + v[0].Message
	switch {
	case v[0].Field == "":
		message = "The request " + v[0].Message
	case len(v) > 1:
		message = fmt.Sprintf("The request has %d violations; field_violations lists them", len(v))
	}
	return &apiError{status: http.StatusUnprocessableEntity, kind: TypeValidation, message: message, violations: v}
}

// newFieldViolation returns the 422 of one field.
func newFieldViolation(field, format string, args ...any) error {
	var v service.FieldViolations
	v.AddViolation(field, format, args...)
	return newValidationError(v)
}

// errorEnvelope is the body of every error response.
type errorEnvelope struct {
	Error errorBody    `json:"error"`
	Meta  responseMeta `json:"meta"`
}

type errorBody struct {
	Type       ErrorType               `json:"type"`
	Message    string                  `json:"message"`
	Violations service.FieldViolations `json:"field_violations"`
}

// ExplainError returns the status and the error envelope of an error below [Root], also of errors of the router and
// the middleware. It sets the headers that belong to it (WWW-Authenticate, Retry-After).
func ExplainError(c echo.Context, err error) (int, []byte) {
	r := convertError(err)
	h := c.Response().Header()
	h.Set(echo.HeaderCacheControl, "no-store")
	if r.status == http.StatusUnauthorized {
		h.Set(echo.HeaderWWWAuthenticate, "Bearer")
	}
	if r.retryAfter > 0 {
		h.Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(r.retryAfter.Seconds()))))
	}
	if r.violations == nil {
		r.violations = service.FieldViolations{}
	}
	meta := responseMeta{RequestID: requestID(c)}
	out, bad := json.Marshal(errorEnvelope{errorBody{r.kind, r.message, r.violations}, meta})
	if bad != nil {
		return http.StatusInternalServerError, nil
	}
	return r.status, out
}

// convertError converts an error of any layer into an error response; an unknown one is a 500.
func convertError(err error) *apiError {
	var (
		own       *apiError
		malformed *strictjson.SyntaxError
		he        *echo.HTTPError
		broken    *service.ViolationError
		conflict  *service.ConflictError
	)
	switch {
	case errors.As(err, &own):
		r := *own
		return &r
	case errors.As(err, &broken):
		return newViolations(broken.Violations)
	case errors.As(err, &conflict):
		r := newAPIError(http.StatusConflict, ErrorType(conflict.Reason), conflict.Message)
		if r.violations = conflict.Violations; conflict.Reason == service.Stale {
			r.status = http.StatusPreconditionFailed
		}
		return r
	case errors.As(err, &malformed):
		return newAPIError(http.StatusBadRequest, TypeMalformed, malformed.Message)
	case errors.As(err, &he):
		return convertHTTPError(he)
	case store.CodeOf(err) == store.CodeNotFound:
		return notFound()
	case store.CodeOf(err) == store.CodeClosed:
		return newUnavailableError()
	case store.CodeOf(err) == store.CodeUnavailable:
		r := newUnavailableError()
		r.message = "The database does not answer; try again later"
		return r
	case store.IsNoRoom(err):
		return &apiError{
			status: http.StatusServiceUnavailable, kind: TypeUnavailable, message: noRoomMessage, retryAfter: retryNoRoom,
		}
	}
	return &apiError{status: http.StatusInternalServerError, kind: TypeInternal, message: internalMessage, err: err}
}

// convertHTTPError converts an HTTP error of the router or the middleware.
func convertHTTPError(he *echo.HTTPError) *apiError {
	sentence, isSentence := he.Message.(string)
	switch he.Code {
	case http.StatusUnauthorized:
		return newUnauthorizedError()
	case http.StatusForbidden:
		return newAPIError(he.Code, TypePermission, sentence)
	case http.StatusNotFound:
		if !errors.Is(he, echo.ErrNotFound) { // a handler's, not the router's
			return notFound()
		}
		return newAPIError(he.Code, TypeNotFound, "There is no such endpoint")
	case http.StatusRequestTimeout:
		return newAPIError(he.Code, TypeTimeout, sentence)
	case http.StatusUnsupportedMediaType:
		return newAPIError(he.Code, TypeMediaType, sentence)
	case http.StatusMethodNotAllowed:
		return newAPIError(
			he.Code, TypeMethod, "This endpoint does not support the method; the Allow header lists the supported ones",
		)
	case http.StatusRequestEntityTooLarge:
		return newAPIError(he.Code, TypeTooLarge, cmp.Or(sentence, "The body is too large"))
	case http.StatusTooManyRequests:
		return newAPIError(he.Code, TypeRateLimited, "Too many requests")
	case http.StatusServiceUnavailable:
		r := newUnavailableError()
		if isSentence {
			r.message, r.retryAfter = sentence, 0 // the middleware has set the header
		}
		return r
	}
	if he.Code >= http.StatusBadRequest && he.Code < http.StatusInternalServerError {
		return newAPIError(he.Code, TypeMalformed, cmp.Or(sentence, http.StatusText(he.Code)))
	}
	return &apiError{status: http.StatusInternalServerError, kind: TypeInternal, message: internalMessage, err: he}
}

func newUnavailableError() *apiError {
	return &apiError{
		status: http.StatusServiceUnavailable, kind: TypeUnavailable, message: "The service is shutting down",
		retryAfter: retryAfterDraining,
	}
}
