package config

import (
	"strings"
	"testing"
)

// FuzzFile checks that any file yields values of known settings, and faults.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{
		"", "---\n", "listen: 127.0.0.1:8080\nqueue: 3\n", "a: &x [1]\nb: *x\n", "listen: {a: 1}\n", "? [a]\n: b\n",
		"- 1\n- 2\n", "listen: !!binary aGk=\n", "\t", "listen: |\n  two\n  lines\n", "bootstrap-api-key: x\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		got := readFile("munadi.yaml", strings.NewReader(content))
		for name := range got.values {
			if s, known := findSetting(name); !known || s.secret || name == fileSetting {
				t.Errorf("took a value for %q", name)
			}
		}
		for _, fault := range got.faults {
			if !strings.HasPrefix(fault, "munadi.yaml:") {
				t.Errorf("a fault without a place: %s", fault)
			}
		}
	})
}
