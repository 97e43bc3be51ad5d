package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
)

// erasureBody reports what was erased of a person.
type erasureBody struct {
	PhoneNumber string `json:"phone_number"`
	Calls       int    `json:"calls_erased"`
	Cancelled   int    `json:"calls_cancelled"`
	Recordings  int    `json:"recordings_removed"`
}

// erasePerson deletes a person's data by number (right to erasure): transcripts, reports, recordings. A number that
// was never called is no failure.
func (s *APIService) erasePerson(c echo.Context) error {
	number, ok := numberOf(c)
	if !ok {
		return notFound()
	}
	erased, err := s.Store.ErasePerson(c.Request().Context(), requestPrincipal(c).OrgID, number, auditActor(c), s.Now())
	left := []error{err} // recordings of a partial erasure are removed all the same
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
