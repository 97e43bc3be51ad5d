package api

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
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

// setETag sets the header ETag to the revision of the setting that the response shows.
func setETag(c echo.Context, setting any) {
	c.Response().Header().Set("ETag", `"`+service.HashSetting(setting)+`"`)
}

// ifMatch returns the request's precondition (header If-Match, RFC 9110 §13.1.1); nil without one. Weak entity tags
// never match.
func ifMatch[T any](c echo.Context) service.Precondition[T] {
	headers := c.Request().Header.Values("If-Match")
	if len(headers) == 0 {
		return nil
	}
	tags := strings.Split(strings.Join(headers, ","), ",")
	for i, tag := range tags {
		tags[i] = strings.TrimSpace(tag)
	}
	return func(kept T) bool {
		return slices.Contains(tags, "*") || slices.Contains(tags, `"`+service.HashSetting(kept)+`"`)
	}
}

const (
	headerIdempotencyKey = "Idempotency-Key"
	headerReplayed       = "Idempotency-Replayed"
	maxIdempotencyKey    = 255 // characters
)

// idempotencyKey returns the request's Idempotency-Key with a hash of its parsed body; nil without a key.
func idempotencyKey(c echo.Context, parsed map[string]any) (*service.IdempotencyKey, error) {
	keys := c.Request().Header.Values(headerIdempotencyKey)
	if len(keys) == 0 {
		return nil, nil
	}
	if len(keys) > 1 || !validKey(keys[0]) {
		return nil, newFieldViolation(headerIdempotencyKey,
			"must be one header of 1 to %d printable ASCII characters", maxIdempotencyKey)
	}
	canonical, err := json.Marshal(parsed) // encoding/json sorts the names
	if err != nil {
		return nil, fmt.Errorf("write a body for its hash: %w", err)
	}
	hash := sha256.Sum256(canonical)
	return &service.IdempotencyKey{Key: keys[0], Body: hash[:]}, nil
}

func validKey(key string) bool {
	return key != "" && len(key) <= maxIdempotencyKey &&
		!strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' })
}
