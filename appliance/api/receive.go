package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store/strictjson"
)

// The request body size limits, in bytes.
const (
	maxJSON = 1 << 20
	maxCSV  = 10 << 20
)

// readBody reads the body up to limit bytes; a larger one is 413, a compressed one 415, a too slow one 408.
func readBody(c echo.Context, limit int64) ([]byte, error) {
	r := c.Request()
	if fault := apimodel.EncodingFault(r); fault != "" {
		return nil, newAPIError(http.StatusUnsupportedMediaType, TypeMediaType, fault)
	}
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	data, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge(limit)
	case errors.Is(err, os.ErrDeadlineExceeded): // before the context, which net/http then cancels
		return nil, newAPIError(http.StatusRequestTimeout, TypeTimeout,
			"The body arrived too slowly: send at least 500 bytes a second, and no pause of a minute")
	case err != nil && r.Context().Err() != nil:
		return nil, r.Context().Err()
	case err != nil:
		return nil, &strictjson.SyntaxError{Message: "The body is incomplete: the connection was interrupted"}
	}
	return data, nil
}

func tooLarge(limit int64) *apiError {
	return newAPIError(http.StatusRequestEntityTooLarge, TypeTooLarge,
		fmt.Sprintf("The body is larger than this endpoint accepts (%d MiB)", limit>>20))
}

// readJSONObject reads a body that must be one JSON object.
func readJSONObject(c echo.Context) (map[string]any, error) {
	data, err := readBody(c, maxJSON)
	if err != nil {
		return nil, err
	}
	return strictjson.ParseObject(data)
}
