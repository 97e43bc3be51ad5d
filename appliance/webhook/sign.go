package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"munadi/store/delivery"
)

// signHeaders sets the headers of Standard Webhooks 1.0: webhook-id (the same in all attempts), webhook-timestamp (of
// this attempt), and webhook-signature: for each secret "v1," and the base64 HMAC-SHA-256 of "id.timestamp.body", the
// newest secret first.
func signHeaders(h http.Header, secrets []delivery.SigningSecret, id string, at time.Time, body []byte) error {
	if len(secrets) == 0 {
		return errors.New("signing is on, but there is no secret")
	}
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, s := range secrets {
		key, err := s.DecodeKey()
		if err != nil {
			return fmt.Errorf("signing secret %d %w", i+1, err)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	h.Set("Webhook-Id", id)
	h.Set("Webhook-Timestamp", timestamp)
	h.Set("Webhook-Signature", strings.Join(signatures, " "))
	return nil
}
