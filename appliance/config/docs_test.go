package config

import (
	"cmp"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestSettingsAreDocumented checks that docs/settings.md says of each setting what its help and its comment in
// munadi.yaml say, its default, how a change takes effect, an example that is accepted, and when to change it.
func TestSettingsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range []string{llmKey, toolKey} {
		if !strings.Contains(string(page), "| `"+variable+"` | ") {
			t.Errorf("the page does not name %s", variable)
		}
	}
	for _, s := range listSettings() {
		if s.secret {
			if row := "| `" + s.environmentName() + "` | " + s.help + " | "; !strings.Contains(string(page), row) {
				t.Errorf("the page does not say %s", row)
			}
			continue
		}
		if s.fallback == "" && !regexp.MustCompile(`; (empty|default): |; required with `).MatchString(s.help) {
			t.Errorf("the help of %s does not say what happens without it: %s", s.name, s.help)
		}
		_, part, there := strings.Cut(string(page), "\n### `"+s.name+"`\n")
		part, _, _ = strings.Cut(part, "\n#")
		if !there {
			t.Errorf("the page has no part about %s", s.name)
			continue
		}
		said := strings.Join(strings.Fields(part), " ")
		if s.name == fileSetting {
			continue
		}
		effect := map[bool]string{true: "with `munadi reload`", false: "after a restart"}[IsReloadable(s.name)]
		for _, want := range []string{
			strings.TrimSpace(s.help + " " + settingNotes()[s.name].text),
			"- Default: " + cmp.Or(strings.ReplaceAll("`"+s.fallback+"`", "``", ""), "empty") + ". Takes effect " + effect + ".",
			"- Change it when ",
		} {
			if !strings.Contains(said, want) {
				t.Errorf("the part about %s does not say %q", s.name, want)
			}
		}
		checkDocumentedExample(t, s, part)
	}
}

// checkDocumentedExample checks that the example of a setting is a line of munadi.yaml that is accepted, and is not the
// default.
func checkDocumentedExample(t *testing.T, s settingField, part string) {
	t.Helper()
	example := regexp.MustCompile("(?m)^- Example: `(.+)`$").FindStringSubmatch(part)
	if example == nil {
		t.Errorf("%s has no example", s.name)
		return
	}
	file := readFile("example", strings.NewReader(example[1]))
	value, there := file.values[s.name]
	if !there || len(file.faults) > 0 || value.text == s.fallback {
		t.Errorf("%s: %q is no example of it: %v", s.name, example[1], file.faults)
		return
	}
	if err := s.setField(reflect.New(reflect.TypeFor[Config]()).Elem().Field(s.index), value.text); err != nil {
		t.Errorf("%s: %v", s.name, err)
	}
}

// TestListsOfWords checks that a list of words may be a list in the file, or a text with commas.
func TestListsOfWords(t *testing.T) {
	t.Parallel()
	for _, name := range wordLists {
		if _, known := findSetting(name); !known {
			t.Errorf("%s is no setting", name)
		}
	}
	for text, want := range map[string]string{
		"sip-codecs: [g722, pcma]":          "g722,pcma",
		"sip-codecs:\n  - g722\n  - pcma":   "g722,pcma",
		"sip-codecs: g722,pcma":             "g722,pcma",
		"sip-codecs: []":                    "",
		"trusted-proxies: [127.0.0.1]":      "127.0.0.1",
		"sip-callers: [+966112345, \"+1\"]": "+966112345,+1",
	} {
		name, _, _ := strings.Cut(text, ":")
		if file := readFile("file", strings.NewReader(text)); file.values[name].text != want || len(file.faults) > 0 {
			t.Errorf("%s: %v %v", text, file.values, file.faults)
		}
	}
	for _, text := range []string{"mail-to: [[a]]", "mail-to: [{a: b}]", "mail-to: [\"a, b\"]", "mail-to: [\"\"]", "threads: [1]"} {
		if file := readFile("file", strings.NewReader(text)); len(file.faults) != 1 {
			t.Errorf("%s: %v", text, file.faults)
		}
	}
}
