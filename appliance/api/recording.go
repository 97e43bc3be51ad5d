package api

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/httpserver/signedurl"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
)

const headerRecordingToken = "X-Svc-Recording-Token"

// redirectToRecording redirects to the expiring download URL of a call's recording. A key takes precedence over any
// token, even if it is invalid; without one, the token of the header precedes that of the query.
func (s *APIService) redirectToRecording(c echo.Context) error {
	id := c.Param("call_id")
	orgID, err := s.recordingOrg(c, id)
	if err != nil {
		return err
	}
	file, err := s.openRecording(c.Request().Context(), orgID, id)
	if err != nil {
		return err
	}
	_ = file.Close() // only its existence is checked here
	c.Response().Header().Set(echo.HeaderLocation, s.Links.DownloadURL(orgID, id))
	return c.NoContent(http.StatusFound)
}

// recordingOrg returns the organization whose recordings the request may read, by API key or by token.
func (s *APIService) recordingOrg(c echo.Context, id string) (string, error) {
	r := c.Request()
	if holdsKey(r.Header.Get(echo.HeaderAuthorization)) {
		err := s.authenticateRequest(c)
		return requestPrincipal(c).OrgID, err
	}
	token := r.Header.Get(headerRecordingToken)
	if token == "" {
		token = c.QueryParam("t")
	}
	if token == "" {
		return "", newUnauthorizedError()
	}
	if !call.ValidID(id) {
		return "", notFound()
	}
	orgID, err := s.Links.Signer.CheckToken(id, token, s.Now())
	return orgID, badToken(err)
}

// holdsKey reports whether an Authorization header holds an API key, valid or not. Credentials of another scheme, such
// as those for a reverse proxy, are none.
func holdsKey(value string) bool {
	scheme, _, hasScheme := strings.Cut(strings.TrimSpace(value), " ")
	return value != "" && (!hasScheme || strings.EqualFold(scheme, "Bearer"))
}

// badToken returns the 403 for a token that is expired, forged or of another call; nil for a nil error.
func badToken(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, signedurl.ErrExpired):
		return newAPIError(
			http.StatusForbidden, TypePermission, "This link has expired; GET /calls/{call_id} returns a new one",
		)
	default:
		return newAPIError(http.StatusForbidden, TypePermission, "This link is not valid for the recording of this call")
	}
}

// findRecordedCall finds a call that has a recording (404 recording_not_available without one).
func (s *APIService) findRecordedCall(ctx context.Context, orgID, id string) (call.Call, error) {
	if !call.ValidID(id) {
		return call.Call{}, notFound()
	}
	found, err := s.Store.FindCall(ctx, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound {
		return found, notFound()
	}
	if err == nil && !apimodel.HasRecording(found) {
		err = noRecording()
	}
	return found, err
}

// openRecording opens the recording of a call.
func (s *APIService) openRecording(ctx context.Context, orgID, id string) (blob.RecordingFile, error) {
	found, err := s.findRecordedCall(ctx, orgID, id)
	if err != nil {
		return nil, err
	}
	file, err := s.UseCases.OpenRecording(ctx, found)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, newAPIError(http.StatusNotFound, TypeNoRecording, "The file of the recording is missing: it was "+
			"removed, or lies on another appliance that shares no bucket with this one")
	case errors.Is(err, blob.ErrDamaged):
		return nil, &apiError{
			status: http.StatusInternalServerError, kind: TypeInternal, err: err,
			message: "The recording of this call is damaged: its file is not the one that was written, so it is not sent",
		}
	}
	return file, err
}

func noRecording() *apiError {
	return newAPIError(http.StatusNotFound, TypeNoRecording,
		"The call has no recording: it has not ended, was never answered or not recorded, or the recording was erased")
}

// downloadRecording serves a recording for a signed download URL, with Range requests (RFC 9110 §14).
func (s *APIService) downloadRecording(c echo.Context) error {
	id, token := c.Param("call_id"), c.QueryParam("t")
	orgID, err := s.Links.Signer.CheckDownload(id, token, s.Now())
	if err != nil {
		return badToken(err)
	}
	file, err := s.openRecording(c.Request().Context(), orgID, id)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(c.Request().Header.Get("Range"), "bytes=") {
		c.Request().Header.Del("Range") // RFC 9110 §14.2: a Range in an unknown unit is ignored
	}
	w := &rangeErrorWriter{ResponseWriter: c.Response()}
	h := w.Header()
	h.Set(echo.HeaderContentType, "audio/wav")
	h.Set(echo.HeaderContentDisposition, `inline; filename="`+id+`.wav"`)
	http.ServeContent(w, c.Request(), "", info.ModTime(), file)
	if w.refused != nil {
		return w.refused
	}
	return nil
}

// rangeErrorWriter intercepts the plain-text errors of http.ServeContent, so that they get the error envelope.
type rangeErrorWriter struct {
	http.ResponseWriter
	refused *apiError
}

func (w *rangeErrorWriter) WriteHeader(status int) {
	switch {
	case status == http.StatusRequestedRangeNotSatisfiable:
		w.refused = newAPIError(status, TypeRange, "The requested range is not within the recording")
	case status >= http.StatusInternalServerError:
		w.refused = &apiError{
			status: status, kind: TypeInternal, message: internalMessage, err: errors.New("the recording cannot be read"),
		}
	default:
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.Header().Del(echo.HeaderContentType)
	w.Header().Del(echo.HeaderContentDisposition)
}

func (w *rangeErrorWriter) Write(p []byte) (int, error) {
	if w.refused != nil {
		return len(p), nil //nolint:nilerr // the plain-text message is dropped
	}
	return w.ResponseWriter.Write(p)
}
