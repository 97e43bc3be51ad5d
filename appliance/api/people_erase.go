package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
)

// erasureBody says what was erased of a person.
type erasureBody struct {
	PhoneNumber string `json:"phone_number"`
	Calls       int    `json:"calls_erased"`
	Cancelled   int    `json:"calls_cancelled"`
	Recordings  int    `json:"recordings_removed"`
}

// erasePerson removes what is known of the person with a number: words, reports, recordings. For somebody who was
// never called there is nothing to do, which is no failure.
func (s *APIService) erasePerson(c echo.Context) error {
	number, ok := numberOf(c)
	if !ok {
		return notFound()
	}
	erased, err := s.Store.ErasePerson(c.Request().Context(), requestPrincipal(c).OrgID, number, auditActor(c), s.Now())
	left := []error{err} // what was erased before it has its recordings listed all the same
	for _, name := range erased.Recordings {
		if err := s.Recordings.RemoveFile(name); err != nil {
			left = append(left, fmt.Errorf("remove recording %s: %w", name, err))
		}
	}
	if err := errors.Join(left...); err != nil {
		return err
	}
	return writeSuccess(c, http.StatusOK, erasureBody{number, erased.Calls, erased.Cancelled, len(erased.Recordings)})
}
