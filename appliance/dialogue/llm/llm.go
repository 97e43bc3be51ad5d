// Package llm asks a language model for an answer, by the OpenAI-compatible POST {base}/chat/completions.
//
// It knows messages and one endpoint; neither calls nor what an answer is for. An endpoint that hangs, streams for ever
// or answers garbage costs the caller's deadline at most. What an organization names as endpoint is not trusted:
// redirects are not followed, the transport that is handed in refuses what must not be reached, and the key comes only
// from an environment variable that begins with MUNADI_LLM_KEY.
package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"munadi/store/scenario"
)

// Message is one turn: its role is system, user or assistant.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Client asks endpoints. It is safe for concurrent use.
type Client struct {
	http   *http.Client
	getenv func(string) string
}

// New makes a client. What an organization may not reach, transport must refuse.
func New(transport http.RoundTripper) *Client {
	return &Client{
		getenv: os.Getenv,
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
}

const (
	maxAnswer = 1 << 20 // bytes of the body
	maxTokens = 200
)

// Reply asks for the answer to a conversation.
func (c *Client) Reply(ctx context.Context, endpoint scenario.LLM, messages []Message) (string, error) {
	body, err := json.Marshal(map[string]any{
		"model": endpoint.Model, "messages": messages, "max_tokens": maxTokens, "stream": false,
	})
	if err != nil {
		return "", err
	}
	address := strings.TrimRight(endpoint.URL, "/") + "/chat/completions"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	if key := c.key(endpoint.KeyEnv); key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	return read(response)
}

func (c *Client) key(name string) string {
	if !strings.HasPrefix(name, "MUNADI_LLM_KEY") {
		return ""
	}
	return c.getenv(name)
}

func read(response *http.Response) (string, error) {
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the model's endpoint answered %d", response.StatusCode)
	}
	var answer struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return "", fmt.Errorf("the model's endpoint answered no JSON: %w", err)
	}
	if len(answer.Choices) == 0 || strings.TrimSpace(answer.Choices[0].Message.Content) == "" {
		return "", errors.New("the model's endpoint answered nothing")
	}
	return answer.Choices[0].Message.Content, nil
}
