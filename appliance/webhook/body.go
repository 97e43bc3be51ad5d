package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/apimodel"
	"munadi/appliance/httpserver/signedurl"
	"munadi/store"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/delivery"
)

// NotificationSource makes the bodies of notifications of calls.
type NotificationSource struct {
	Calls interface {
		FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	}
	Alerts interface {
		FindAlerts(ctx context.Context, orgID string) (alert.AlertBoard, error)
	}
	Links *signedurl.SignedLinks
}

// NotificationBody returns the body of a delivery: the one that was sent before, else a new one. After a crash between
// an attempt and its record the body is made again: its links are signed as of the same time, so that the bytes are the
// same.
func (s NotificationSource) NotificationBody(ctx context.Context, d delivery.Delivery) ([]byte, error) {
	if len(d.Body) > 0 {
		return d.Body, nil
	}
	links := s.Links.LinksAt(d.CreatedAt)
	if d.IsRedelivered() {
		links = s.Links
	}
	if d.Kind == delivery.Test {
		return apimodel.BodyOf(apimodel.SampleCall(d.OrgID, d.CallID, d.CreatedAt), links)
	}
	if d.Kind == delivery.AlertRaised || d.Kind == delivery.AlertCleared {
		return s.alertBody(ctx, d)
	}
	c, err := s.Calls.FindCall(ctx, d.OrgID, d.CallID)
	if err != nil {
		return nil, err
	}
	return apimodel.BodyOf(c, links)
}

// alertBody returns the body of a notification of an alert; it fails if the alert is no longer stored.
func (s NotificationSource) alertBody(ctx context.Context, d delivery.Delivery) ([]byte, error) {
	board, err := s.Alerts.FindAlerts(ctx, d.OrgID)
	if err != nil {
		return nil, err
	}
	a, known := board.FindAlert(d.CallID)
	if !known {
		return nil, store.Errorf(store.CodeNotFound, "there is no alert %q any more", d.CallID)
	}
	return apimodel.AlertBodyOf(a, d.Kind == delivery.AlertCleared)
}

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
