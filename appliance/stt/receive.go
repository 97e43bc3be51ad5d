package stt

import (
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
)

// readForm decodes the form into dst. Slow uploads are limited by the HTTP middleware.
func (s *TranscriptionService) readForm(c echo.Context, d multipartform.FormDecoder, dst any) error {
	if fault := apimodel.EncodingFault(c.Request()); fault != "" {
		return &middleware.HTTPProblem{Status: http.StatusUnsupportedMediaType, Detail: fault}
	}
	if p := checkMediaType(c.Request()); p != nil {
		return p
	}
	if err := d.DecodeForm(c.Request(), dst); err != nil {
		return s.explainError(err, d, 0)
	}
	return nil
}

// checkMediaType refuses a recording sent as the bare body, with a hint to use a form.
func checkMediaType(r *http.Request) *middleware.HTTPProblem {
	kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)) // malformed parameters are ignored
	if !strings.HasPrefix(kind, "audio/") {
		return nil
	}
	return &middleware.HTTPProblem{
		Status: http.StatusUnsupportedMediaType,
		Detail: fmt.Sprintf("A body of type %s is not accepted: send multipart/form-data with the recording in the "+
			"field file", kind),
	}
}
