package api

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"

	"github.com/labstack/echo/v4"

	"munadi/appliance/link"
	"munadi/appliance/wire"
	"munadi/store"
	"munadi/store/call"
)

const headerRecordingToken = "X-Svc-Recording-Token"

// recording redirects to where a call's recording is fetched. An API key counts before any token, even one that opens
// nothing; without a key, the token of the header counts before that of the query.
func (s *Service) recording(c echo.Context) error {
	id := c.Param("call_id")
	orgID, err := s.recordingOrg(c, id)
	if err != nil {
		return err
	}
	found, err := s.recorded(c.Request().Context(), orgID, id)
	if err != nil {
		return err
	}
	file, err := s.open(found)
	if err != nil {
		return err
	}
	_ = file.Close() // it was only looked for
	c.Response().Header().Set(echo.HeaderLocation, s.Links.Download(orgID, id))
	return c.NoContent(http.StatusFound)
}

// recordingOrg is the organization for which the request may ask.
func (s *Service) recordingOrg(c echo.Context, id string) (string, error) {
	r := c.Request()
	if r.Header.Get(echo.HeaderAuthorization) != "" {
		err := s.identify(c)
		return principal(c).OrgID, err
	}
	token := r.Header.Get(headerRecordingToken)
	if token == "" {
		token = c.QueryParam("t")
	}
	if token == "" {
		return "", unauthorized()
	}
	if !call.ValidID(id) {
		return "", notFound()
	}
	orgID, err := s.Links.Signer.CheckToken(id, token, s.Now())
	return orgID, badToken(err)
}

// badToken is the 403 of a token that does not open what it is used for.
func badToken(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, link.ErrExpired):
		return refuse(http.StatusForbidden, TypePermission, "This link has expired; GET /calls/{call_id} has a fresh one")
	default:
		return refuse(http.StatusForbidden, TypePermission, "This link does not open the recording of this call")
	}
}

// recorded is a call that has a recording.
func (s *Service) recorded(ctx context.Context, orgID, id string) (call.Call, error) {
	if !call.ValidID(id) {
		return call.Call{}, notFound()
	}
	found, err := s.Store.Call(ctx, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound {
		return found, notFound()
	}
	if err == nil && !wire.Recorded(found) {
		err = noRecording()
	}
	return found, err
}

func (s *Service) open(found call.Call) (*os.File, error) {
	file, err := s.Recordings.Open(found.Recording)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noRecording()
	}
	return file, err
}

func noRecording() *refusal {
	return refuse(http.StatusNotFound, TypeNoRecording,
		"The call has no recording: it has not ended, was never answered or not recorded, or the recording was erased")
}
