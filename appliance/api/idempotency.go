package api

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
)

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
