package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// erasureBody reports the records and files that were erased.
type erasureBody struct {
	PhoneNumber string `json:"phone_number"`
	Calls       int    `json:"calls_erased"`
	Cancelled   int    `json:"calls_cancelled"`
	Recordings  int    `json:"recordings_removed"`
	Unreadable  int    `json:"calls_unreadable"` // on a damaged disk; they are not changed
}

// erasePerson deletes a person's data by number (right to erasure): transcripts, reports, recordings. A number that
// was never called is not an error.
func (s *APIService) erasePerson(c echo.Context) error {
	number, ok := numberOf(c)
	if !ok {
		return notFound()
	}
	erased, err := s.UseCases.ErasePerson(c.Request().Context(), requestCaller(c), number)
	return answer(c, http.StatusOK, erasureBody{
		number, erased.Calls, erased.Cancelled, len(erased.Recordings), erased.Unreadable,
	}, err)
}
