package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/strictjson"
)

// importResult is the answer to a CSV import.
type importResult struct {
	Imported int `json:"imported"`
}

// importSuppressions imports a CSV file: all of its entries, or none if a line is invalid. The field of a violation
// contains the line: lines.3.phone_number.
func (s *APIService) importSuppressions(c echo.Context) error {
	data, err := readBody(c, maxCSV)
	if err != nil {
		return err
	}
	entries, err := readSuppressions(data)
	if err != nil {
		return err
	}
	added, _, err := s.UseCases.AddSuppressions(c.Request().Context(), requestCaller(c), sourceFile, entries, false)
	if err != nil {
		return err
	}
	return writeSuccess(c, http.StatusCreated, importResult{len(added)})
}

// readSuppressions parses a CSV file.
func readSuppressions(data []byte) ([]service.SuppressionRequest, error) {
	entries, err := service.ReadSuppressions(data, nil, func(text string) *time.Time {
		if at, ok := strictjson.ParseTime(text); ok {
			return &at
		}
		return nil
	})
	if err != nil {
		return nil, &strictjson.SyntaxError{Message: "The body cannot be read: " + err.Error()}
	}
	return entries, nil
}
