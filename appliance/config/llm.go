package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
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

var (
	endpointName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)
	orgID        = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)
)

// UnmarshalText parses the list and validates every endpoint.
func (l *LLMEndpoints) UnmarshalText(text []byte) error {
	*l = ""
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	var all []LLMEndpoint
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("is not a list of endpoints (name, url, model, key-env, organizations): %s", describeYAML(err))
	}
	var raw []map[string]any
	_ = yaml.Unmarshal(text, &raw) // it was read above
	seen := map[string]bool{}
	for i, e := range all {
		if value, named := raw[i]["organizations"]; named && value == nil {
			return fmt.Errorf(
				"endpoint %d: organizations is empty: list the ids of those that may use it, or leave it out for all",
				i+1,
			)
		}
		if err := e.checkEndpoint(); err != nil {
			return fmt.Errorf("endpoint %d: %w", i+1, err)
		}
		if seen[e.Name] {
			return fmt.Errorf("endpoint %d: name %q is used twice", i+1, e.Name)
		}
		seen[e.Name] = true
	}
	if len(all) == 0 {
		return nil
	}
	data, err := json.Marshal(all)
	*l = LLMEndpoints(data)
	return err
}

func (e LLMEndpoint) checkEndpoint() error {
	switch {
	case !endpointName.MatchString(e.Name):
		return fmt.Errorf("name %q must have 1 to 64 of a-z 0-9 _ . -", e.Name)
	case e.URL == "":
		return errors.New("url is missing: the base of the endpoint, such as http://127.0.0.1:11434/v1")
	case checkWebAddress(e.URL) != nil:
		return fmt.Errorf("url %w", checkWebAddress(e.URL))
	case strings.TrimSpace(e.Model) == "":
		return errors.New("model is missing: the name of the model at the endpoint")
	case e.KeyEnv != "" && !variableName.MatchString(e.KeyEnv):
		return errors.New("key-env is not the name of an environment variable") // the value may be the key itself
	case strings.HasPrefix(e.KeyEnv, variablePrefix) && e.KeyEnv != llmKey && !strings.HasPrefix(e.KeyEnv, llmKey+"_"):
		return fmt.Errorf("key-env %s is a setting of Munadi; use %s, %s_NAME or a name without %s",
			e.KeyEnv, llmKey, llmKey, variablePrefix)
	case e.Organizations != nil && len(e.Organizations) == 0:
		return errors.New("organizations is empty: list the ids of those that may use it, or leave it out for all")
	}
	for _, id := range e.Organizations {
		if !orgID.MatchString(id) {
			return fmt.Errorf("organizations: %q is not an organization's id", id)
		}
	}
	return nil
}

// ListEndpoints returns the endpoints in the order of the setting.
func (l LLMEndpoints) ListEndpoints() []LLMEndpoint {
	var all []LLMEndpoint
	if l == "" || json.Unmarshal([]byte(l), &all) != nil { // written by UnmarshalText
		return nil
	}
	return all
}

// FindEndpoint returns the endpoint of that name that an organization may use. One that it may not use looks as if it
// did not exist.
func (l LLMEndpoints) FindEndpoint(orgID, name string) (LLMEndpoint, bool) {
	for _, e := range l.ListEndpoints() {
		if e.Name == name && (e.Organizations == nil || slices.Contains(e.Organizations, orgID)) {
			return e, true
		}
	}
	return LLMEndpoint{}, false
}
