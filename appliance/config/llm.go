package config

import (
	"errors"
	"fmt"
	"strings"
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

// ListEndpoints returns the endpoints in the order of the setting.
func (l LLMEndpoints) ListEndpoints() []LLMEndpoint { return listServices[LLMEndpoint](string(l)) }

// FindEndpoint returns the endpoint of that name that an organization may use.
func (l LLMEndpoints) FindEndpoint(orgID, name string) (LLMEndpoint, bool) {
	return findService[LLMEndpoint](string(l), orgID, name)
}
