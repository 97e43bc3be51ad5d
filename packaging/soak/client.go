package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
)

// jsonObject is a JSON object.
type jsonObject map[string]any

// valueAt follows names into objects; nil where one is missing.
func (o jsonObject) valueAt(names ...string) any {
	var v any = map[string]any(o)
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (o jsonObject) textAt(names ...string) string { s, _ := o.valueAt(names...).(string); return s }

func (o jsonObject) listAt(names ...string) []jsonObject {
	items, _ := o.valueAt(names...).([]any)
	all := make([]jsonObject, 0, len(items))
	for _, item := range items {
		m, _ := item.(map[string]any)
		all = append(all, m)
	}
	return all
}

// apiClient sends requests to an appliance, or to one of several. An error means that it did not respond.
type apiClient interface {
	requestJSON(ctx context.Context, method, path string, body any, headers ...string) (httpAnswer, error)
	uploadRecording(
		ctx context.Context, path string, recording []byte, fields []string, headers ...string,
	) (httpAnswer, error)
}

// httpAnswer is a response.
type httpAnswer struct {
	status int
	body   jsonObject // of JSON
	raw    []byte
}

// requestJSON sends a JSON body (nil: none) with an API key of all scopes; headers are pairs. An error means that the
// appliance did not respond.
func (a *soakAppliance) requestJSON(
	ctx context.Context, method, path string, body any, headers ...string,
) (httpAnswer, error) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return httpAnswer{}, err
		}
		content = bytes.NewReader(b)
		headers = append(headers, "Content-Type", "application/json")
	}
	return a.sendRequest(ctx, method, path, content, headers...)
}

// uploadRecording sends a recording, with form fields and headers as pairs.
func (a *soakAppliance) uploadRecording(
	ctx context.Context, path string, recording []byte, fields []string, headers ...string,
) (httpAnswer, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for i := 0; i < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			return httpAnswer{}, err
		}
	}
	part, err := w.CreateFormFile("file", "recording")
	if err != nil {
		return httpAnswer{}, err
	}
	if _, err := part.Write(recording); err != nil {
		return httpAnswer{}, err
	}
	if err := w.Close(); err != nil {
		return httpAnswer{}, err
	}
	return a.sendRequest(ctx, http.MethodPost, path, &form, append(headers, "Content-Type", w.FormDataContentType())...)
}

func (a *soakAppliance) sendRequest(
	ctx context.Context, method, path string, body io.Reader, headers ...string,
) (httpAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, a.url+path, body)
	if err != nil {
		return httpAnswer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return httpAnswer{}, err
	}
	defer res.Body.Close()
	got := httpAnswer{status: res.StatusCode}
	if got.raw, err = io.ReadAll(res.Body); err != nil {
		return httpAnswer{}, err
	}
	_ = json.Unmarshal(got.raw, &got.body) // empty if it is no JSON
	return got, nil
}

// setWebhook sets the webhook's URL.
func (a *soakAppliance) setWebhook(ctx context.Context, url string, headers ...string) error {
	body := jsonObject{"url": url, "enabled": true, "alerts": true}
	got, err := a.requestJSON(ctx, http.MethodPut, "/api/v1/webhook", body, headers...)
	if err == nil && got.status != http.StatusOK {
		err = fmt.Errorf("the webhook's setting: %d %s", got.status, got.raw)
	}
	return err
}
