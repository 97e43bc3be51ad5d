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

// readForm reads the form into dst. How slowly it may come is the edge's affair.
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

// checkMediaType refuses a recording that is the body itself. Any other body that is no form has no file.
func checkMediaType(r *http.Request) *middleware.HTTPProblem {
	kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)) // parameters that cannot be read don't matter
	if !strings.HasPrefix(kind, "audio/") {
		return nil
	}
	return &middleware.HTTPProblem{
		Status: http.StatusUnsupportedMediaType,
		Detail: fmt.Sprintf("A body of type %s is not accepted: send multipart/form-data with the recording in the "+
			"field file", kind),
	}
}
