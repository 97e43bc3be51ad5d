// Package tool asks the operator's HTTP endpoints for values during a call, such as the state of an order.
//
// The method and the timeout of a tool come from the settings, too (see package endpoint), and the length of an answer
// is bounded.
package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"munadi/appliance/endpoint"
)

// Endpoint is where a tool answers.
type Endpoint struct {
	URL     string
	Method  string // POST, with the values as a JSON object; or GET, with them in the query
	KeyEnv  string // environment variable with the bearer token; empty: none is sent
	Timeout time.Duration
}

// EndpointFinder finds the tool of a name that an organization may use; false for any other.
type EndpointFinder func(orgID, name string) (Endpoint, bool)

// ErrNoTool is the error of an unknown tool, or one that the organization may not use.
var ErrNoTool error = endpoint.AnswerError{Who: theTool, What: "is not set up for this organization"}

// Request is what a scenario asks of a tool.
type Request struct {
	OrgID  string
	Tool   string // name
	Values map[string]any
	// Key is sent with a POST as its Idempotency-Key, so that net/http sends it again where the server had closed a kept
	// connection, and the server knows a double. Empty: a random one.
	Key string
}

// Client asks tools. It is safe for concurrent use.
type Client struct {
	http      *http.Client
	endpoints EndpointFinder
}

// NewClient makes a client.
func NewClient(transport http.RoundTripper, endpoints EndpointFinder) *Client {
	return &Client{endpoints: endpoints, http: endpoint.NewClient(transport)}
}

const (
	maxAnswer = 64 << 10 // bytes
	theTool   = "the tool"
)

// CallTool asks a tool and returns its answer, a JSON object.
func (c *Client) CallTool(ctx context.Context, r Request) (string, error) {
	at, ok := c.endpoints(r.OrgID, r.Tool)
	if !ok {
		return "", ErrNoTool
	}
	ctx, cancel := context.WithTimeout(ctx, at.Timeout)
	defer cancel()
	request, err := newRequest(ctx, at, r)
	if err != nil {
		return "", err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return "", withoutValues(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", endpoint.StatusError(theTool, response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return "", err
	}
	var object map[string]json.RawMessage
	switch {
	case len(body) > maxAnswer:
		return "", endpoint.AnswerError{Who: theTool, What: fmt.Sprintf("answered more than %d bytes", maxAnswer)}
	case !utf8.Valid(body):
		return "", endpoint.AnswerError{Who: theTool, What: "answered no UTF-8"}
	case json.Unmarshal(body, &object) != nil || object == nil:
		return "", endpoint.AnswerError{Who: theTool, What: "answered no JSON object"}
	}
	return string(body), nil
}

func newRequest(ctx context.Context, at Endpoint, r Request) (*http.Request, error) {
	address, body := at.URL, []byte(nil)
	if at.Method == http.MethodGet {
		parsed, err := url.Parse(at.URL)
		if err != nil {
			return nil, err
		}
		query := parsed.Query()
		for name, value := range r.Values {
			if value != nil {
				query.Set(name, queryText(value))
			}
		}
		parsed.RawQuery = query.Encode()
		address = parsed.String()
	} else {
		var err error
		if body, err = json.Marshal(r.Values); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, at.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set(endpoint.IdempotencyKey, cmp.Or(r.Key, uuid.NewString()))
	}
	endpoint.AddKey(request, at.KeyEnv)
	return request, nil
}

// withoutValues removes the query, which holds values of the call, from the address in an error, which is logged.
func withoutValues(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		failed.URL, _, _ = strings.Cut(failed.URL, "?")
	}
	return err
}

// queryText writes a value for a query; a number without an exponent, so that 10000000 is not 1e+07.
func queryText(value any) string {
	if n, ok := value.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
