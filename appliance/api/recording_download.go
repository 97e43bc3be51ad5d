package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// downloadRecording serves a recording for a signed download URL, with Range requests (RFC 9110 §14).
func (s *APIService) downloadRecording(c echo.Context) error {
	id, token := c.Param("call_id"), c.QueryParam("t")
	orgID, err := s.Links.Signer.CheckDownload(id, token, s.Now())
	if err != nil {
		return badToken(err)
	}
	found, err := s.findRecordedCall(c.Request().Context(), orgID, id)
	if err != nil {
		return err
	}
	file, err := s.openRecording(c.Request().Context(), found)
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
