// Package llm asks a chat endpoint that speaks OpenAI's API, vLLM, Ollama and llama.cpp among them, for the next words
// of a conversation, and passes them on while they stream.
//
// Endpoints are the operator's: a scenario gives the name of one, and addresses, models and the variables with the keys
// come from the settings. Redirects are not followed, and the length of an answer is bounded; the context bounds its
// duration.
package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"

	"munadi/appliance/endpoint"
)

// ChatMessage is one turn: its role is system, user or assistant, or tool for the answer to a call.
type ChatMessage struct {
	Role    string     `json:"role"`
	Content string     `json:"content"`
	Calls   []ToolCall `json:"tool_calls,omitempty"`   // of an assistant
	CallID  string     `json:"tool_call_id,omitempty"` // of a tool: the call that it answers
}

// ChatEndpoint is where a model answers.
type ChatEndpoint struct {
	URL    string // base, ends in /v1
	Model  string
	KeyEnv string // environment variable with the bearer token; empty: none is sent
}

// EndpointFinder finds the endpoint of a name that an organization may use; false for any other.
type EndpointFinder func(orgID, name string) (ChatEndpoint, bool)

// ErrNoEndpoint is the error of an unknown endpoint, or one that the organization may not use.
var ErrNoEndpoint error = endpoint.AnswerError{
	Who: theEndpoint, What: "is not set up for this organization",
}

// ChatRequest is a conversation to complete.
type ChatRequest struct {
	OrgID    string
	Endpoint string // name
	Messages []ChatMessage
	Schema   json.RawMessage // JSON Schema of the answer; nil: plain text
	Tools    []ToolDeclaration
	NoCalls  bool // it may not call the tools any more
}

// ChatReply is an answer: text, calls of tools, or both.
type ChatReply struct {
	Text   string
	Calls  []ToolCall
	CutOff bool // at the most tokens: its end may be half a sentence
}

// ChatClient asks endpoints. It is safe for concurrent use.
type ChatClient struct {
	http      *http.Client
	endpoints EndpointFinder
}

// NewClient makes a client.
func NewClient(transport http.RoundTripper, endpoints EndpointFinder) *ChatClient {
	return &ChatClient{endpoints: endpoints, http: endpoint.NewClient(transport)}
}

// Reply asks for the answer and returns it whole. onText gets each piece of its text as it comes, on the caller's
// goroutine; an error of it stops the answer and is returned.
func (c *ChatClient) Reply(ctx context.Context, r ChatRequest, onText func(piece string) error) (ChatReply, error) {
	at, ok := c.endpoints(r.OrgID, r.Endpoint)
	if !ok {
		return ChatReply{}, ErrNoEndpoint
	}
	request, err := newRequest(ctx, at, r)
	if err != nil {
		return ChatReply{}, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return ChatReply{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return ChatReply{}, endpoint.StatusError(theEndpoint, response.StatusCode)
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	// Without length and chunks a body ends with its connection, however that ended.
	hasEnd := response.ContentLength >= 0 || len(response.TransferEncoding) > 0
	read := func(body io.Reader, onText func(string) error) (ChatReply, error) {
		return readStream(body, hasEnd, onText)
	}
	if kind == "application/json" { // a server that does not stream
		read = readWhole
	}
	answer, err := read(response.Body, onText)
	if err == nil && strings.TrimSpace(answer.Text) == "" && len(answer.Calls) == 0 {
		err = endpoint.AnswerError{Who: theEndpoint, What: "answered nothing"}
	}
	return answer, err
}

// maxTokens bounds an answer, which is spoken on the telephone.
const maxTokens = 300

func newRequest(ctx context.Context, at ChatEndpoint, r ChatRequest) (*http.Request, error) {
	body := map[string]any{"model": at.Model, "messages": r.Messages, "max_tokens": maxTokens, "stream": true}
	if r.Schema != nil {
		body["temperature"] = 0
		body["response_format"] = map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "answers", "schema": r.Schema},
		}
	}
	if len(r.Tools) > 0 {
		body["tools"] = r.Tools
	}
	if r.NoCalls {
		body["tool_choice"] = "none"
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	address := strings.TrimRight(at.URL, "/") + "/chat/completions"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	endpoint.AddKey(request, at.KeyEnv)
	endpoint.AllowRepeat(request)
	return request, nil
}
