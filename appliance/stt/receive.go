package stt

import (
	"net/http"

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
	if err := d.DecodeForm(c.Request(), dst); err != nil {
		return s.explainError(err, d, 0)
	}
	return nil
}
