package stt

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/form"
)

// receive reads the form into dst. How slowly it may come is the edge's affair.
func (s *Service) receive(c echo.Context, d form.Decoder, dst any) error {
	if err := d.Decode(c.Request(), dst); err != nil {
		return s.explain(err, d, 0)
	}
	return nil
}
