package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/config"
	assetsort "munadi/assets/ort"
)

// TestScenarioSounds checks with the recognizer that callees of the simulator and clips beside the file answer, and that
// what is no sound fails by name.
func TestScenarioSounds(t *testing.T) {
	t.Parallel()
	if packed, _, _ := assetsort.PackedLibrary(); len(packed) == 0 {
		t.Skip("no ONNX Runtime lies in assets/ort: make fetches it")
	}
	folder := t.TempDir()
	read := func(name string, data []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	yes, err := os.ReadFile("../../../assets/web/samples/confirm.flac")
	read("yes.flac", yes, err)
	read("empty.wav", nil, nil)
	read("junk.wav", []byte(strings.Repeat("no sound ", 100)), nil)
	flow, err := os.ReadFile("../../../assets/scenarios/flow/appointment_confirmation.json")
	before, _, found := strings.Cut(string(flow), `"tests"`)
	if err != nil || !found {
		t.Fatal(err, "the scenario has no tests")
	}
	var tests []string
	for _, c := range []struct{ name, person, confirmed string }{
		{"callee", `"callee":"00"`, "true"},
		{"another time", `"callee":"80"`, "false"},
		{"nobody", `"callee":"91"`, "true"},
		{"clip", `"says":["clip:yes.flac"]`, "true"},
		{"empty", `"says":["clip:empty.wav"]`, "true"},
		{"junk", `"says":["clip:junk.wav"]`, "true"},
		{"missing", `"says":["clip:none.wav"]`, "true"},
		{"typed before", `"says":["لا أستطيع الحضور","clip:yes.flac"]`, "false"},
	} {
		tests = append(tests, fmt.Sprintf(`{"name":%q,%s,"expect":{"report":{"confirmed":%s}}}`, c.name, c.person, c.confirmed))
	}
	path := filepath.Join(folder, "visit.json")
	read("visit.json", []byte(before+`"tests":[`+strings.Join(tests, ",")+"]}"), nil)
	cfg := config.Default()
	cfg.Data = t.TempDir()
	var out strings.Builder
	if err := (&ScenarioTestCmd{Files: []string{path}}).Run(t.Context(), cfg, &out); err == nil ||
		!strings.Contains(err.Error(), "4 of 8 tests failed") {
		t.Errorf("%v", err)
	}
	for _, line := range []string{
		"ok    " + path + ": callee", "ok    " + path + ": another time", "ok    " + path + ": clip", "ok    " + path + ": typed before",
		"nobody answers at the simulated number …91", "the clip empty.wav cannot be read: the file is empty",
		"the clip junk.wav cannot be read", "the clip none.wav cannot be read: no such file",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is missing in\n%s", line, &out)
		}
	}
}
