package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"munadi/store"
)

// maxAnswer is the largest response body, in bytes.
const maxAnswer = 64 << 20

// remoteAdmin implements AdminService in the running appliance.
type remoteAdmin struct{ client *http.Client }

// connectRunning connects to the appliance on a data folder; false when none answers.
func connectRunning(ctx context.Context, dir string) (*remoteAdmin, bool) {
	probe, err := dialSocket(ctx, dir)
	if err != nil {
		return nil, false
	}
	_ = probe.Close() // probe only
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dialSocket(ctx, dir) },
	}
	return &remoteAdmin{&http.Client{Transport: transport}}, true
}

// CreateKey implements [AdminService].
func (r *remoteAdmin) CreateKey(ctx context.Context, orgID, name string, scopes []string) (KeyView, string, error) {
	var made newKeyAnswer
	err := r.callEndpoint(ctx, http.MethodPost, "/keys", newKeyRequest{orgID, name, scopes}, &made)
	return made.Key, made.Plain, err
}

// ListKeys implements [AdminService].
func (r *remoteAdmin) ListKeys(ctx context.Context, orgID string) ([]KeyView, error) {
	var keys []KeyView
	err := r.callEndpoint(ctx, http.MethodGet, "/keys?org="+url.QueryEscape(orgID), nil, &keys)
	return keys, err
}

// RevokeKey implements [AdminService].
func (r *remoteAdmin) RevokeKey(ctx context.Context, id string) (KeyView, error) {
	var key KeyView
	err := r.callEndpoint(ctx, http.MethodPost, "/keys/"+url.PathEscape(id)+"/revoke", nil, &key)
	return key, err
}

// Close implements [AdminService].
func (r *remoteAdmin) Close() error {
	r.client.CloseIdleConnections()
	return nil
}

// callEndpoint sends one request and decodes its response into result.
func (r *remoteAdmin) callEndpoint(ctx context.Context, method, target string, body, result any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://appliance"+target, bytes.NewReader(content))
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(io.LimitReader(response.Body, maxAnswer))
	if response.StatusCode >= http.StatusBadRequest {
		return decodeRefusal(response.Status, decoder)
	}
	if err := decoder.Decode(result); err != nil {
		return fmt.Errorf("read the appliance's answer: %w", err)
	}
	return nil
}

// decodeRefusal decodes an error response into the store's error.
func decodeRefusal(status string, decoder *json.Decoder) error {
	var why failureBody
	if err := decoder.Decode(&why); err != nil || why.Message == "" {
		return fmt.Errorf("the appliance answered %s", status)
	}
	return &store.Error{Code: why.Code, Message: why.Message}
}
