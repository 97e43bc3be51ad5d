package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// deletedSuppression is the answer of DELETE /suppressions/{number}.
type deletedSuppression struct {
	PhoneNumber string `json:"phone_number"`
	Deleted     bool   `json:"deleted"`
}

// deleteSuppression removes a number from the suppression list, so that it may be called again.
func (s *APIService) deleteSuppression(c echo.Context) error {
	number, ok := numberOf(c)
	if !ok {
		return notFound()
	}
	err := s.UseCases.RemoveSuppression(c.Request().Context(), requestCaller(c), number)
	if err != nil {
		return err
	}
	return writeSuccess(c, http.StatusOK, deletedSuppression{number, true})
}
