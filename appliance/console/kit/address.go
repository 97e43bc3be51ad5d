package kit

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/excerpt"
)

// AddressError is a part of an address that has no field on its page, and can't be read: the page without it would be
// another one than the one that was asked for.
type AddressError struct{ Name, Typed string }

// Error names the part for the log.
func (e AddressError) Error() string { return fmt.Sprintf("the address has %s=%q", e.Name, e.Typed) }

// Shown returns the part for a sentence.
func (e AddressError) Shown() string {
	return IsolateText(e.Name + "=" + excerpt.TruncateText(e.Typed, maxTyped))
}

// checkPageNumber is middleware that refuses a page of a list that is no number.
func checkPageNumber(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		typed := c.QueryParam("page")
		if n, err := strconv.Atoi(typed); typed != "" && (err != nil || n < 0) {
			return AddressError{"page", typed}
		}
		return next(c)
	}
}

// RequestDeliveryState returns the state that a list of deliveries is narrowed to; empty: all.
func RequestDeliveryState(c echo.Context) (delivery.DeliveryState, error) {
	state := delivery.DeliveryState(c.QueryParam("state"))
	if state != "" && !slices.Contains(delivery.AllStates(), state) {
		return "", AddressError{"state", string(state)}
	}
	return state, nil
}

// NameBadCursor returns the error of a list whose store could not read the address's cursor as an [AddressError].
func NameBadCursor(c echo.Context, err error) error {
	if cursor := c.QueryParam("cursor"); cursor != "" && store.CodeOf(err) == store.CodeInvalid {
		return AddressError{"cursor", cursor}
	}
	return err
}
