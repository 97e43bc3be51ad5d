package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/store"
)

const (
	headerIdempotencyKey = "Idempotency-Key"
	headerReplayed       = "Idempotency-Replayed"
	maxIdempotencyKey    = 255 // characters
)

// receiptOf returns the idempotency record of a booking under the request's Idempotency-Key; nil without a key.
// parsed is the request's body, of which the record keeps a hash.
func receiptOf(c echo.Context, parsed map[string]any) (*store.IdempotencyReceipt, error) {
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
	return &store.IdempotencyReceipt{Key: keys[0], Body: hash[:]}, nil
}

// otherBody is the error of an idempotency key that was used with another request.
func otherBody() error {
	return &apiError{
		status: http.StatusConflict, kind: TypeIdempotency,
		message:    "This Idempotency-Key was used with another body",
		violations: jsonbind.FieldViolations{{Field: headerIdempotencyKey, Message: "was used with another body"}},
	}
}

func validKey(key string) bool {
	return key != "" && len(key) <= maxIdempotencyKey &&
		!strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' })
}

// replayReceipt answers an idempotent repeat with the first request's answer, and a different request under the same
// key with 409. Once the person was erased, the first answer is gone: the call is shown as it is now.
func (s *APIService) replayReceipt(
	c echo.Context,
	first store.IdempotencyReceipt,
	now *store.IdempotencyReceipt,
) error {
	if !bytes.Equal(first.Body, now.Body) {
		return otherBody()
	}
	c.Response().Header().Set(headerReplayed, "true")
	if first.Answer != nil {
		return writeCreated(c, first.CallID, first.Answer)
	}
	erased, err := s.Store.FindCall(c.Request().Context(), requestPrincipal(c).OrgID, first.CallID)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, Root+"/calls/"+erased.ID)
	return s.answerCall(c, http.StatusCreated, erased)
}

// writeCreated writes the 201 answer to a booking, with Location.
func writeCreated(c echo.Context, id string, data []byte) error {
	c.Response().Header().Set(echo.HeaderLocation, Root+"/calls/"+id)
	return writeSuccess(c, http.StatusCreated, json.RawMessage(data))
}
