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

// maxAnswer is the size of an answer at most.
const maxAnswer = 64 << 20

// remote is an Admin in the running appliance.
type remote struct{ client *http.Client }

// connect is the appliance that runs on a data folder; false when none answers.
func connect(ctx context.Context, dir string) (*remote, bool) {
	probe, err := dial(ctx, dir)
	if err != nil {
		return nil, false
	}
	_ = probe.Close() // it was only to see
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, dir) },
	}
	return &remote{&http.Client{Transport: transport}}, true
}

// CreateKey implements [Admin].
func (r *remote) CreateKey(ctx context.Context, orgID, name string, scopes []string) (Key, string, error) {
	var made newKeyAnswer
	err := r.call(ctx, http.MethodPost, "/keys", newKeyRequest{orgID, name, scopes}, &made)
	return made.Key, made.Plain, err
}

// Keys implements [Admin].
func (r *remote) Keys(ctx context.Context, orgID string) ([]Key, error) {
	var keys []Key
	err := r.call(ctx, http.MethodGet, "/keys?org="+url.QueryEscape(orgID), nil, &keys)
	return keys, err
}

// RevokeKey implements [Admin].
func (r *remote) RevokeKey(ctx context.Context, id string) (Key, error) {
	var key Key
	err := r.call(ctx, http.MethodPost, "/keys/"+url.PathEscape(id)+"/revoke", nil, &key)
	return key, err
}

// Close implements [Admin].
func (r *remote) Close() error {
	r.client.CloseIdleConnections()
	return nil
}

// call sends one request and reads its answer into result.
func (r *remote) call(ctx context.Context, method, target string, body, result any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("ask the appliance: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://appliance"+target, bytes.NewReader(content))
	if err != nil {
		return fmt.Errorf("ask the appliance: %w", err)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return fmt.Errorf("ask the appliance: %w", err)
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(io.LimitReader(response.Body, maxAnswer))
	if response.StatusCode >= http.StatusBadRequest {
		return refusal(response.Status, decoder)
	}
	if err := decoder.Decode(result); err != nil {
		return fmt.Errorf("read the appliance's answer: %w", err)
	}
	return nil
}

// refusal is the appliance's error, as the store gave it there.
func refusal(status string, decoder *json.Decoder) error {
	var why failure
	if err := decoder.Decode(&why); err != nil || why.Message == "" {
		return fmt.Errorf("the appliance answered %s", status)
	}
	return &store.Error{Code: why.Code, Message: why.Message}
}
