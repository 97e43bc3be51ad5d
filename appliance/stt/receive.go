package stt

import (
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/edge"
	"munadi/appliance/stt/form"
	"munadi/appliance/wire"
)

// receive reads the form into dst. How slowly it may come is the edge's affair.
func (s *Service) receive(c echo.Context, d form.Decoder, dst any) error {
	if fault := wire.EncodingFault(c.Request()); fault != "" {
		return &edge.Problem{Status: http.StatusUnsupportedMediaType, Detail: fault}
	}
	if p := checkMediaType(c.Request()); p != nil {
		return p
	}
	if err := d.Decode(c.Request(), dst); err != nil {
		return s.explain(err, d, 0)
	}
	return nil
}

// checkMediaType refuses a recording that is the body itself. Any other body that is no form has no file.
func checkMediaType(r *http.Request) *edge.Problem {
	kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)) // parameters that cannot be read don't matter
	if !strings.HasPrefix(kind, "audio/") {
		return nil
	}
	return &edge.Problem{
		Status: http.StatusUnsupportedMediaType,
		Detail: fmt.Sprintf("A body of type %s is not accepted: send multipart/form-data with the recording in the "+
			"field file", kind),
	}
}
