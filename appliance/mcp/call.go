package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"munadi/appliance/recovery"
	"munadi/appliance/service"
	"munadi/store/jsontext"
	"munadi/store/strictjson"
)

const headerIdempotencyKey = "Idempotency-Key"

// toolHandler returns the handler of a tool's calls. The protocol's library calls it in a goroutine of its own, where
// nothing else recovers a panic.
func (s *ToolService) toolHandler(t apiTool) sdk.ToolHandler {
	return func(ctx context.Context, call *sdk.CallToolRequest) (result *sdk.CallToolResult, _ error) {
		err := recovery.RecoverPanic(func() (err error) {
			result, err = s.callTool(ctx, t, call.Params)
			return err
		})
		if panicked, is := errors.AsType[*recovery.PanicError](err); is {
			s.Log.Error("a tool panicked", "tool", t.name, "err", panicked)
		}
		if err != nil {
			return s.refuseCall(ctx, err), nil
		}
		return result, nil
	}
}

// callTool makes the request to the API that a call of a tool stands for. Its error is of the arguments.
func (s *ToolService) callTool(ctx context.Context, t apiTool, p *sdk.CallToolParamsRaw) (*sdk.CallToolResult, error) {
	r, err := t.newRequest(ctx, p.Arguments)
	if err != nil {
		return nil, err
	}
	from := callerOf(ctx).request
	r.RemoteAddr = from.RemoteAddr
	for _, name := range []string{echo.HeaderAuthorization, echo.HeaderXRequestID, headerIdempotencyKey} {
		if all := from.Header.Values(name); len(all) > 0 {
			r.Header[name] = all
		}
	}
	if key, given := p.Meta[headerIdempotencyKey]; given {
		r.Header.Set(headerIdempotencyKey, fmt.Sprint(key))
	}
	answer := newAnswer()
	s.API.ServeHTTP(answer, r)
	return answer.toolResult(), nil
}

// refuseCall returns an error in the API's envelope as a tool error.
func (s *ToolService) refuseCall(ctx context.Context, err error) *sdk.CallToolResult {
	answer, r := newAnswer(), callerOf(ctx).request
	answer.header.Set(echo.HeaderXRequestID, r.Header.Get(echo.HeaderXRequestID))
	status, body := s.Explain(echo.New().NewContext(r, answer), err)
	answer.status = status
	answer.body.Write(body)
	return answer.toolResult()
}

// newRequest returns the API request of a tool's arguments. Its error is a [*strictjson.SyntaxError] or a
// [*service.ViolationError]; what the operation's body says is for the API to judge.
func (t apiTool) newRequest(ctx context.Context, arguments json.RawMessage) (*http.Request, error) {
	arguments = bytes.TrimSpace(arguments)
	if len(arguments) == 0 || bytes.Equal(arguments, []byte("null")) {
		arguments = []byte("{}")
	}
	if t.HasBody && len(t.PathNames)+len(t.QueryNames) == 0 && arguments[0] == '{' { // as it came: up to 32 MiB
		return newAPIRequest(ctx, t.Method, t.Path, arguments)
	}
	given, err := strictjson.ParseObject(arguments)
	if err != nil {
		return nil, err
	}
	var found service.FieldViolations
	path := t.expandPath(given, &found)
	query := url.Values{}
	for _, name := range t.QueryNames {
		takeQuery(given, name, query, &found)
	}
	if !t.HasBody {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			found.AddViolation(name, "is not an argument of %s", t.name)
		}
	}
	if len(found) > 0 {
		return nil, &service.ViolationError{Violations: found}
	}
	body, err := jsontext.MarshalUnescaped(given)
	if err != nil || !t.HasBody {
		body = nil
	}
	return newAPIRequest(ctx, t.Method, path+"?"+query.Encode(), body)
}

// newAPIRequest returns a request with a JSON body, nil for none.
func newAPIRequest(ctx context.Context, method, target string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err == nil {
		r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	}
	return r, err
}

// expandPath takes the arguments of the path, and returns the path with them.
func (t apiTool) expandPath(given map[string]any, found *service.FieldViolations) string {
	path := t.Path
	for _, name := range t.PathNames {
		id, isText := given[name].(string)
		switch _, there := given[name]; {
		case !there:
			found.AddViolation(name, "is required")
		case !isText:
			found.AddViolation(name, "must be a string")
		case strings.Trim(id, ".") == "": // no path element: the router would take it for another path
			found.AddViolation(name, "must be the id of an existing thing")
		}
		delete(given, name)
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(id))
	}
	return path
}

// takeQuery takes an argument of the query. A number or truth value is sent as its JSON text; null counts as absent.
func takeQuery(given map[string]any, name string, query url.Values, found *service.FieldViolations) {
	value, there := given[name]
	delete(given, name)
	switch v := value.(type) {
	case nil:
	case string:
		query.Set(name, v)
	case json.Number, bool:
		query.Set(name, fmt.Sprint(v))
	default:
		if there {
			found.AddViolation(name, "must be a string")
		}
	}
}

// apiAnswer keeps a response of the API.
type apiAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newAnswer() *apiAnswer { return &apiAnswer{header: http.Header{}, status: http.StatusOK} }

// Header implements [http.ResponseWriter].
func (a *apiAnswer) Header() http.Header { return a.header }

// WriteHeader implements [http.ResponseWriter].
func (a *apiAnswer) WriteHeader(status int) { a.status = status }

// Write implements [http.ResponseWriter].
func (a *apiAnswer) Write(part []byte) (int, error) { return a.body.Write(part) }

// Flush implements [http.Flusher].
func (a *apiAnswer) Flush() {}

// toolResult returns the response as a tool's result: a failure as a tool error.
func (a *apiAnswer) toolResult() *sdk.CallToolResult {
	text := bytes.TrimSpace(a.body.Bytes())
	result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}
	if result.IsError = a.status >= http.StatusBadRequest; !result.IsError {
		result.StructuredContent = json.RawMessage(text)
	}
	return result
}
