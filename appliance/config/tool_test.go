package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/config"
)

func TestTools(t *testing.T) {
	t.Parallel()
	got, err := loadConfig(t, map[string]string{"MUNADI_TOOLS": `
- {name: orders, url: "http://127.0.0.1:9000/orders", key-env: MUNADI_TOOL_KEY_ORDERS, timeout: 1.5, organizations: [acme]}
- {name: stock, url: "https://stock.example/q", method: GET}`}, "serve")
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Tool{
		{
			Name: "orders", URL: "http://127.0.0.1:9000/orders", KeyEnv: "MUNADI_TOOL_KEY_ORDERS", Seconds: 1.5,
			Organizations: []string{"acme"},
		},
		{Name: "stock", URL: "https://stock.example/q", Method: "GET"},
	}
	for _, tool := range want {
		found, _ := got.Tools.FindTool("acme", tool.Name)
		if diff := cmp.Diff(tool, found); diff != "" {
			t.Errorf("-want +got %s", diff)
		}
	}
	if want[0].Timeout() != 1500*time.Millisecond || want[0].HTTPMethod() != "POST" || want[1].Timeout() != config.MaxToolTime {
		t.Errorf("%v %v %v", want[0].Timeout(), want[0].HTTPMethod(), want[1].Timeout())
	}
	_, own := got.Tools.FindTool("acme", "orders")
	_, foreign := got.Tools.FindTool("other", "orders")
	if _, shared := got.Tools.FindTool("other", "stock"); !own || foreign || !shared {
		t.Errorf("acme finds %v, another %v, all %v", own, foreign, shared)
	}
}

func TestToolsThatAreWrong(t *testing.T) {
	t.Parallel()
	const sound = `"name":"a","url":"http://h/x"`
	for text, want := range map[string]string{
		`{` + sound + `}`:                              "is not a list of tools",
		`[{` + sound + `,"model":"m"}]`:                "is not a list of tools",
		`[{"name":"a"}]`:                               "url is missing",
		`[{"name":"A","url":"http://h"}]`:              `name "A" must have`,
		`[{"name":"a","url":"file:///etc/passwd"}]`:    "url",
		`[{` + sound + `,"method":"DELETE"}]`:          `method "DELETE" must be GET or POST`,
		`[{` + sound + `,"timeout":2.5}]`:              "timeout must be from 0.1 to 2 seconds",
		`[{` + sound + `,"timeout":-1}]`:               "timeout must be",
		`[{` + sound + `,"timeout":.nan}]`:             "timeout must be",
		`[{` + sound + `,"key-env":"MUNADI_LLM_KEY"}]`: "key-env MUNADI_LLM_KEY is a setting",
		`[{` + sound + `},{` + sound + `}]`:            `tool 2: name "a" is used twice`,
		`[{` + sound + `,"organizations":["A/b"]}]`:    "is not an organization's id",
	} {
		_, err := loadConfig(t, map[string]string{"MUNADI_TOOLS": text}, "serve")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
