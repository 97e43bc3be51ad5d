package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/config"
)

const twoEndpoints = `
llm-endpoints:
  - name: local
    url: http://127.0.0.1:11434/v1
    model: qwen3
  - name: hosted
    url: https://models.example.com/v1
    model: big
    key-env: MUNADI_LLM_KEY_HOSTED
    organizations: [default, bakery]
`

func TestLLMEndpoints(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "munadi.yaml")
	if err := os.WriteFile(file, []byte(twoEndpoints), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := loadConfig(t, nil, "serve", "--config", file)
	if err != nil {
		t.Fatal(err)
	}
	want := []config.LLMEndpoint{
		{Name: "local", URL: "http://127.0.0.1:11434/v1", Model: "qwen3"},
		{
			Name: "hosted", URL: "https://models.example.com/v1", Model: "big", KeyEnv: "MUNADI_LLM_KEY_HOSTED",
			Organizations: []string{"default", "bakery"},
		},
	}
	for _, e := range want {
		found, _ := got.LLMEndpoints.FindEndpoint("default", e.Name)
		if diff := cmp.Diff(e, found); diff != "" {
			t.Error(diff)
		}
	}
	for _, c := range []struct {
		org, name string
		want      bool
	}{
		{"default", "local", true},
		{"other", "local", true},
		{"bakery", "hosted", true},
		{"other", "hosted", false},
		{"default", "none", false},
		{"default", "", false},
	} {
		if _, ok := got.LLMEndpoints.FindEndpoint(c.org, c.name); ok != c.want {
			t.Errorf("%s finds %s: %v", c.org, c.name, ok)
		}
	}
	again, err := loadConfig(t, map[string]string{"MUNADI_LLM_ENDPOINTS": string(got.LLMEndpoints)}, "serve")
	if err != nil || again.LLMEndpoints != got.LLMEndpoints {
		t.Errorf("from the environment: %v, %v", again.LLMEndpoints, err)
	}
	if live, _ := again.CompareSettings(config.Default()); strings.Join(live, " ") != "llm-endpoints" {
		t.Errorf("a reload changes %v", live)
	}
}

func TestLLMEndpointsThatAreWrong(t *testing.T) {
	t.Parallel()
	const sound = `"name":"a","url":"http://h/v1","model":"m"`
	for text, want := range map[string]string{
		`{` + sound + `}`:                               "is not a list of endpoints",
		`[{` + sound + `,"key":"k"}]`:                   "is not a list of endpoints",
		`[{"name":"A b","url":"http://h/v1"}]`:          `name "A b" must have`,
		`[{"name":"a","model":"m"}]`:                    "url is missing",
		`[{"name":"a","url":"file:///etc","model":""}]`: "url",
		`[{"name":"a","url":"http://u:p@h/v1"}]`:        "url must not have a user",
		`[{"name":"a","url":"http://h/v1"}]`:            "model is missing",
		`[{` + sound + `},{` + sound + `}]`:             `name "a" is used twice`,
		`[{` + sound + `,"key-env":"sk-secret-1234"}]`:  "key-env is not the name of an environment variable",
		`[{` + sound + `,"key-env":"MUNADI_DATA"}]`:     "key-env MUNADI_DATA is a setting",
		`[{` + sound + `,"organizations":[]}]`:          "organizations is empty",
		`[{` + sound + `,"organizations":null}]`:        "organizations is empty",
		`[{` + sound + `,"organizations":["A/b"]}]`:     "is not an organization's id",
		`[`: "is not a list of endpoints",
	} {
		_, err := loadConfig(t, map[string]string{"MUNADI_LLM_ENDPOINTS": text}, "serve")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
