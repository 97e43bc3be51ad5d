package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// LLMEndpoint is an OpenAI-compatible chat endpoint that scenarios may name in their llm steps.
type LLMEndpoint struct {
	Name          string   `yaml:"name" json:"name"`
	URL           string   `yaml:"url" json:"url"`     // base URL, ends in /v1
	Model         string   `yaml:"model" json:"model"` // model name in requests
	KeyEnv        string   `yaml:"key-env" json:"key-env,omitempty"`
	Organizations []string `yaml:"organizations" json:"organizations,omitempty"` // ids; nil: all
}

// LLMEndpoints is the list of endpoints as JSON; empty: none. In munadi.yaml it is a list, in a flag or variable YAML
// or JSON text of one.
type LLMEndpoints string

// UnmarshalText parses the list and validates every endpoint.
func (l *LLMEndpoints) UnmarshalText(text []byte) error {
	data, err := parseServices[LLMEndpoint](text, "endpoint", "name, url, model, key-env, organizations")
	*l = LLMEndpoints(data)
	return err
}

func (e LLMEndpoint) serviceName() string { return e.Name }
func (e LLMEndpoint) allowed() []string   { return e.Organizations }

func (e LLMEndpoint) checkEntry() error {
	switch {
	case !endpointName.MatchString(e.Name):
		return fmt.Errorf("name %q must have 1 to 64 of a-z 0-9 _ . -", e.Name)
	case e.URL == "":
		return errors.New("url is missing: the base of the endpoint, such as http://127.0.0.1:11434/v1")
	case checkWebAddress(e.URL) != nil:
		return fmt.Errorf("url %w", checkWebAddress(e.URL))
	case strings.TrimSpace(e.Model) == "":
		return errors.New("model is missing: the name of the model at the endpoint")
	}
	return checkServiceKey(e.KeyEnv, llmKey)
}

// FindEndpoint returns the endpoint of that name that an organization may use.
func (l LLMEndpoints) FindEndpoint(orgID, name string) (LLMEndpoint, bool) {
	return findService[LLMEndpoint](string(l), orgID, name)
}

// Tool is an HTTP endpoint of the operator that scenarios may ask for values in their fetch and llm steps.
type Tool struct {
	Name          string   `yaml:"name" json:"name"`
	URL           string   `yaml:"url" json:"url"`
	Method        string   `yaml:"method" json:"method,omitempty"` // GET or POST; empty: POST
	KeyEnv        string   `yaml:"key-env" json:"key-env,omitempty"`
	Seconds       float64  `yaml:"timeout" json:"timeout,omitempty"`             // of the whole answer; 0: [MaxToolTime]
	Organizations []string `yaml:"organizations" json:"organizations,omitempty"` // ids; nil: all
}

// MaxToolTime is how long a tool may take: the person on the telephone waits for it.
const MaxToolTime = 2 * time.Second

// Tools is the list of tools as JSON; empty: none. In munadi.yaml it is a list, in a flag or variable YAML or JSON text
// of one.
type Tools string

// UnmarshalText parses the list and validates every tool.
func (l *Tools) UnmarshalText(text []byte) error {
	data, err := parseServices[Tool](text, "tool", "name, url, method, key-env, timeout, organizations")
	*l = Tools(data)
	return err
}

func (t Tool) serviceName() string { return t.Name }
func (t Tool) allowed() []string   { return t.Organizations }

func (t Tool) checkEntry() error {
	switch method := t.HTTPMethod(); {
	case !endpointName.MatchString(t.Name):
		return fmt.Errorf("name %q must have 1 to 64 of a-z 0-9 _ . -", t.Name)
	case t.URL == "":
		return errors.New("url is missing: where it is asked, such as http://127.0.0.1:9000/orders")
	case checkWebAddress(t.URL) != nil:
		return fmt.Errorf("url %w", checkWebAddress(t.URL))
	case method != http.MethodGet && method != http.MethodPost:
		return fmt.Errorf("method %q must be GET or POST", t.Method)
	case t.Seconds != 0 && !(t.Seconds >= 0.1 && t.Seconds <= MaxToolTime.Seconds()):
		return fmt.Errorf("timeout must be from 0.1 to %g seconds: somebody waits on the telephone", MaxToolTime.Seconds())
	}
	return checkServiceKey(t.KeyEnv, toolKey)
}

// HTTPMethod returns the method of requests.
func (t Tool) HTTPMethod() string { return cmp.Or(t.Method, http.MethodPost) }

// Timeout returns how long the whole answer may take.
func (t Tool) Timeout() time.Duration {
	return cmp.Or(time.Duration(t.Seconds*float64(time.Second)), MaxToolTime)
}

// FindTool returns the tool of that name that an organization may use.
func (l Tools) FindTool(orgID, name string) (Tool, bool) {
	return findService[Tool](string(l), orgID, name)
}
