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

// object is a JSON object.
type object map[string]any

// at follows names into objects; nil where one is missing.
func (o object) at(names ...string) any {
	var v any = map[string]any(o)
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (o object) text(names ...string) string { s, _ := o.at(names...).(string); return s }

func (o object) list(names ...string) []object {
	items, _ := o.at(names...).([]any)
	all := make([]object, 0, len(items))
	for _, item := range items {
		m, _ := item.(map[string]any)
		all = append(all, m)
	}
	return all
}

// answer is what came back.
type answer struct {
	status int
	body   object // of JSON
	raw    []byte
}

// ask sends a JSON body (nil: none) with the key of all rights; headers are pairs. An error is that nobody answered.
func (a *appliance) ask(ctx context.Context, method, path string, body any, headers ...string) (answer, error) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		content = bytes.NewReader(b)
		headers = append(headers, "Content-Type", "application/json")
	}
	return a.send(ctx, method, path, content, headers...)
}

// upload sends a recording.
func (a *appliance) upload(ctx context.Context, path string, recording []byte) (answer, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "recording")
	if err != nil {
		return answer{}, err
	}
	if _, err := part.Write(recording); err != nil {
		return answer{}, err
	}
	if err := w.Close(); err != nil {
		return answer{}, err
	}
	return a.send(ctx, http.MethodPost, path, &form, "Content-Type", w.FormDataContentType())
}

func (a *appliance) send(ctx context.Context, method, path string, body io.Reader, headers ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, a.url+path, body)
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	got := answer{status: res.StatusCode}
	if got.raw, err = io.ReadAll(res.Body); err != nil {
		return answer{}, err
	}
	_ = json.Unmarshal(got.raw, &got.body) // what is no JSON has none
	return got, nil
}

// listen has webhooks sent to an address.
func (a *appliance) listen(ctx context.Context, url string) error {
	got, err := a.ask(ctx, http.MethodPut, "/api/v1/webhook", object{"url": url, "enabled": true})
	if err == nil && got.status != http.StatusOK {
		err = fmt.Errorf("the webhook's setting: %d %s", got.status, got.raw)
	}
	return err
}
