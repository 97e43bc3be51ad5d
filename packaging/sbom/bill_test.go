package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestIdentify: the licence of each module that go.mod can bring is known, so that a package is never refused late.
func TestIdentify(t *testing.T) {
	t.Chdir("../..")
	listing, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}", "./appliance/cmd/munadi").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(listing)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		path, folder, ok := strings.Cut(line, "\t")
		if !ok || path == "munadi" {
			continue
		}
		text, err := licenceTexts(folder)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if _, err := identifyLicences(text); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestIdentifyByPhrases(t *testing.T) {
	t.Parallel()
	if _, err := identifyLicences("GNU GENERAL PUBLIC LICENSE Version 3"); err == nil {
		t.Error("a copyleft licence went through")
	}
	for text, want := range map[string]string{
		"Redistribution and use in source and binary forms … Neither the name of":                              "BSD-3-Clause",
		"Redistribution and use in source and binary forms":                                                    "BSD-2-Clause",
		"Permission is hereby granted, free of charge … The above copyright notice and this permission notice": "MIT",
	} {
		if got, err := identifyLicences(text); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%.40s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestSourceNotice: licences.txt says of MPL-2.0 code, and of no other, where its sources are to be had.
func TestSourceNotice(t *testing.T) {
	t.Parallel()
	text := string(joinLicences([]billPart{
		{name: "github.com/r3labs/sse/v2", version: "v2.10.0", licences: []string{"MPL-2.0"}, text: "the terms"},
		{name: "example.org/other", version: "v1.0.0", licences: []string{"MIT"}, text: "other terms"},
	}))
	want := "available under the Mozilla Public License 2.0\nat https://github.com/r3labs/sse, version v2.10.0;"
	if !strings.Contains(text, want) || strings.Count(text, "source code form") != 1 {
		t.Errorf("licences.txt says:\n%s", text)
	}
}

// TestAssets: each paragraph of assets/SOURCES becomes a part with a licence, and only the architecture's own library.
func TestAssets(t *testing.T) {
	t.Chdir("../..")
	parts, err := shippedAssets("amd64")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if p.name == "" || len(p.licences) == 0 {
			t.Errorf("%+v", p)
		}
		for _, f := range p.files {
			if strings.Contains(f.name, "arm64") {
				t.Errorf("%s is not in a program for amd64", f.name)
			}
		}
		if slices.Contains(p.licences, "CC-BY-4.0") && !strings.Contains(p.text, "https://creativecommons.org/licenses/by/4.0/") {
			t.Errorf("%s does not say where its terms stand", p.name)
		}
		if strings.Contains(p.name, "speech model") && p.version != "" {
			t.Errorf("%s has the version of a tool: %s", p.name, p.version)
		}
	}
	voice := slices.IndexFunc(parts, func(p billPart) bool { return p.name == "The bundled voice" })
	if voice < 0 || !strings.Contains(parts[voice].about, `says "GPL" in its README`) {
		t.Error("licences.txt does not say what is known of the licence of the bundled voice's maker")
	}
	runtime := slices.IndexFunc(parts, func(p billPart) bool { return p.name == "ONNX Runtime" })
	if runtime < 0 || parts[runtime].version != "1.24.4" || !strings.Contains(parts[runtime].text, "Microsoft") {
		t.Errorf("ONNX Runtime: %+v", parts)
	}
}

// TestBill writes the bill of this test's own binary.
func TestBill(t *testing.T) {
	if testing.Short() {
		t.Skip("asks go list about every module")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	docs, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"libopus-dev", "libogg-dev", "libvorbis-dev"} {
		folder := filepath.Join(docs, name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"copyright": "terms of " + name, "version": "1-2"} {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := writeBill(billOptions{program, "1.2.3", docs, out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "sbom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b cyclonedxBOM
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Version != "1.2.3" || b.Metadata.Timestamp != "2023-11-14T22:13:20Z" {
		t.Errorf("head: %+v", b.Metadata)
	}
	refs := map[string]bool{}
	for _, c := range b.Components {
		if refs[c.Ref] || len(c.Licences) == 0 {
			t.Errorf("twice, or without a licence: %+v", c)
		}
		refs[c.Ref] = true
	}
	for _, want := range []string{"Opus@1-2", "ONNX Runtime@1.24.4"} {
		if !refs[want] {
			t.Errorf("no %s in %v", want, refs)
		}
	}
	validateSBOM(t, ".cache/venv/bin/python", filepath.Join(out, "sbom.cdx.json"))
	terms, err := os.ReadFile(filepath.Join(out, "licences.txt"))
	if err != nil || !strings.Contains(string(terms), "terms of libogg-dev") {
		t.Errorf("licence texts: %v", err)
	}
}

// validator says what is wrong with a file by CycloneDX's own schema.
const validator = `
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
sys.exit(fault and str(fault))`

// validateSBOM has the CycloneDX project's validator look at a file, where the tests' Python packages are installed.
func validateSBOM(t *testing.T, python, sbom string) {
	t.Helper()
	if _, err := os.Stat(python); err != nil {
		t.Log("not validated: no Python packages here; packaging/setup test installs them")
		return
	}
	if out, err := exec.Command(python, "-c", validator, sbom).CombinedOutput(); err != nil {
		t.Errorf("the SBOM is none by CycloneDX's schema: %v\n%s", err, out)
	}
}
