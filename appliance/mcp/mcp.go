// Package mcp serves the Model Context Protocol at /mcp (Streamable HTTP): the call platform and transcription jobs as
// tools of a language model's client, with an API key as bearer token.
//
// A tool is an operation of the API: its input schema is made of the operation's parameters and body in the OpenAPI
// document, and a call of it is a request to the API's own handlers, in this process, with the client's key, request id
// and idempotency key. So keys, scopes, rate limits, violations, idempotency and the audit trail are the API's, and a
// tool's result is the API's body. It imports no other door: the appliance's wiring hands their handler over.
//
// Choices that the contract leaves open:
//
//   - Stateless: no session is kept, every request is authenticated, so that a revoked key ends at once and any
//     appliance of a shared store answers. Responses are JSON, not event streams; methods other than POST are 405.
//   - What the protocol refuses is a JSON-RPC error: an unknown method -32601 (HTTP 200), no JSON -32700 and no request
//     -32600 (400). An unknown notification is accepted and ignored (202).
//   - A call of a tool counts for the key's rate limit as the API request that it makes, where over the limit it is a
//     tool error; any other message counts as one request, and is 429 over the limit.
//   - Every tool can be called; a key whose scopes do not list it gets the API's permission_error as a tool error.
//   - An idempotency key is the call's _meta["Idempotency-Key"], or the header of the same name.
//   - JSON-RPC batches are refused (400), as by the protocol from 2025-06-18 on.
//   - A request with an Origin header, from a browser, must come from a page of the public URL, of localhost or an IP
//     address of the appliance, or of an origin that the operator allows (cors-origins); else 403 (DNS rebinding).
package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"munadi/appliance/apimodel"
	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
)

// Root is the path of the protocol's endpoint.
const Root = "/mcp"

// envelope is the room for the JSON-RPC message around a body of the API, in bytes.
const envelope = 64 << 10

const (
	methodCallTool  = "tools/call"
	tooManyRequests = "This API key has made too many requests; try again later"
)

// KeyAuthenticator authenticates API keys; *auth.KeyVerifier is one.
type KeyAuthenticator interface {
	// VerifyHeader authenticates the value of an Authorization header; an *auth.KeyRefusal means that it names no
	// valid key.
	VerifyHeader(ctx context.Context, value string) (auth.Principal, error)
}

// Dependencies are the dependencies of the door; all are required.
type Dependencies struct {
	// API serves the operations that tools stand for. Its failures are in the call platform's error envelope, also those
	// of transcription jobs.
	API http.Handler
	// Explain returns the status and the error envelope of a request's error.
	Explain func(c echo.Context, err error) (status int, body []byte)
	Auth    KeyAuthenticator
	// Limit counts a request of a key, and returns how long to wait if its rate limit is exceeded.
	Limit func(keyID string) time.Duration
	// AllowOrigin reports whether a request may come from the page that its Origin header names.
	AllowOrigin func(r *http.Request) bool
	// Calls is whether this appliance makes calls; without, only tools of speech to text are there.
	Calls bool
	// MaxBody is the largest body of an operation, in bytes.
	MaxBody int64
	Version string
	Log     *slog.Logger
}

// ToolService serves the protocol. It is safe for concurrent use.
type ToolService struct {
	Dependencies
	tools    []apiTool
	protocol http.Handler
	large    *middleware.LargeBodies // not those of the API, whose bodies wait in requests that hold one of these
}

// NewService returns the service. An error means that the API document lacks the operation of a tool.
func NewService(d Dependencies) (*ToolService, error) {
	s := &ToolService{Dependencies: d, large: middleware.NewLargeBodies()}
	server := sdk.NewServer(&sdk.Implementation{Name: "munadi", Title: "Munadi", Version: d.Version}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
	})
	for _, declared := range declaredTools {
		if declared.scope != scopeOfJobs && !d.Calls {
			continue
		}
		t, err := newTool(declared)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", declared.name, err)
		}
		s.tools = append(s.tools, t)
		server.AddTool(t.describeTool(), s.toolHandler(t))
	}
	server.AddReceivingMiddleware(s.filterMethods)
	s.protocol = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, PropagateRequestCancellation: true,
			MaxRequestBodyBytes: d.MaxBody + envelope, DisableLocalhostProtection: true, // AllowOrigin is stricter
		})
	return s, nil
}

// MountRoutes adds the endpoint to e.
func (s *ToolService) MountRoutes(e *echo.Echo) { e.Any(Root, s.serveMessage) }

// caller is the HTTP request of a message and its authenticated key.
type caller struct {
	auth.Principal
	request *http.Request
}

type callerKey struct{}

func callerOf(ctx context.Context) caller {
	who, _ := ctx.Value(callerKey{}).(caller)
	return who
}

// serveMessage serves one message of a client: origin, key, size and rate limit are checked, in this order, before the
// protocol reads it.
func (s *ToolService) serveMessage(c echo.Context) error {
	r := c.Request()
	if !s.AllowOrigin(r) {
		return &middleware.HTTPProblem{
			Status: http.StatusForbidden,
			Detail: "Pages of this origin may not use " + Root + "; the operator can allow it (cors-origins)",
		}
	}
	who, err := s.authenticateRequest(c)
	if err != nil {
		return err
	}
	defer s.large.HoldBody(r, who.OrgID)()
	message, err := s.readMessage(c)
	if err != nil {
		return err
	}
	request := decodeRequest(message)
	if request == nil || request.Method != methodCallTool {
		if wait := s.Limit(who.KeyID); wait > 0 {
			return &middleware.HTTPProblem{Status: http.StatusTooManyRequests, RetryAfter: wait, Detail: tooManyRequests}
		}
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	r = r.WithContext(context.WithValue(r.Context(), callerKey{}, caller{who, r}))
	r.Header.Set(echo.HeaderXRequestID, c.Response().Header().Get(echo.HeaderXRequestID))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(message)), int64(len(message))
	w := &faultWriter{ResponseWriter: c.Response()}
	s.protocol.ServeHTTP(w, r)
	return w.sendFault(message, request)
}

// authenticateRequest authenticates the request's API key.
func (s *ToolService) authenticateRequest(c echo.Context) (auth.Principal, error) {
	r := c.Request()
	who, err := s.Auth.VerifyHeader(r.Context(), r.Header.Get(echo.HeaderAuthorization))
	if refused, ok := errors.AsType[*auth.KeyRefusal](err); ok {
		middleware.AddLogAttribute(c, "refused", refused.Reason)
		return who, &middleware.HTTPProblem{
			Status: http.StatusUnauthorized, Detail: "Missing or invalid API key", Challenge: "Bearer",
		}
	}
	if err == nil {
		middleware.AddLogAttribute(c, "org", who.OrgID)
		middleware.AddLogAttribute(c, "key", who.KeyID)
	}
	return who, err
}

// readMessage reads the body, up to the size of the largest operation's.
func (s *ToolService) readMessage(c echo.Context) ([]byte, error) {
	r := c.Request()
	if fault := apimodel.EncodingFault(r); fault != "" {
		return nil, &middleware.HTTPProblem{Status: http.StatusUnsupportedMediaType, Detail: fault}
	}
	limit := s.MaxBody + envelope
	message, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &middleware.HTTPProblem{
			Status: http.StatusRequestEntityTooLarge,
			Detail: fmt.Sprintf("The message is larger than this endpoint accepts (%d MiB)", limit>>20),
		}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &middleware.HTTPProblem{Status: http.StatusRequestTimeout, Detail: "The message arrived too slowly"}
	case err != nil && r.Context().Err() != nil:
		return nil, r.Context().Err()
	case err != nil:
		return nil, &middleware.HTTPProblem{Status: http.StatusBadRequest, Detail: "The message is incomplete"}
	case bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")):
		return nil, &middleware.HTTPProblem{
			Status: http.StatusBadRequest, Detail: "JSON-RPC batches are not supported: send one message in a request",
		}
	}
	return message, nil
}

// decodeRequest decodes a JSON-RPC request or notification; nil for anything else.
func decodeRequest(message []byte) *jsonrpc.Request {
	decoded, err := jsonrpc.DecodeMessage(message)
	if request, is := decoded.(*jsonrpc.Request); err == nil && is {
		return request
	}
	return nil
}
