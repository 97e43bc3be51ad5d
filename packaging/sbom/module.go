package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// billPart is one thing that others made and that is in the product.
type billPart struct {
	name, version string
	kind          string   // of CycloneDX: library, data, machine-learning-model…
	purl          string   // empty: none
	licences      []string // SPDX identifiers
	about         string   // origin, in a sentence
	files         []partFile
	text          string // licence texts
}

// partFile is one file of a part.
type partFile struct{ name, sha256 string }

// licenceFile is how modules call the files that must go along.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([.-].*)?$`)

// goModules returns the Go modules in a binary.
func goModules(info *buildinfo.BuildInfo) ([]billPart, error) {
	folders, err := moduleFolders()
	if err != nil {
		return nil, err
	}
	var all []billPart
	var faults []error
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		p := billPart{
			name: m.Path, version: m.Version, kind: "library", about: "Go module",
			purl: "pkg:golang/" + m.Path + "@" + m.Version,
		}
		if p.text, err = licenceTexts(folders[m.Path]); err == nil {
			p.licences, err = identifyLicences(p.text)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", m.Path, err))
		}
		all = append(all, p)
	}
	return all, errors.Join(faults...)
}

// moduleFolders returns where the sources of each module lie.
func moduleFolders() (map[string]string, error) {
	listing, err := exec.Command("go", "list", "-m", "-json=Path,Dir", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	folders := map[string]string{}
	decoder := json.NewDecoder(strings.NewReader(string(listing)))
	for {
		var m struct{ Path, Dir string }
		err := decoder.Decode(&m)
		if errors.Is(err, io.EOF) {
			return folders, nil
		}
		if err != nil {
			return nil, err
		}
		folders[m.Path] = m.Dir
	}
}

// licenceTexts joins the licence files at the top of a folder.
func licenceTexts(folder string) (string, error) {
	if folder == "" {
		return "", errors.New("its sources are not here")
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var all []string
	for _, e := range entries {
		if !licenceFile.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return "", err
		}
		all = append(all, strings.TrimSpace(string(text)))
	}
	if len(all) == 0 {
		return "", errors.New("it has no licence file")
	}
	return strings.Join(all, "\n\n"), nil
}

// goItself returns the runtime and standard library, which are in every Go program.
func goItself() ([]billPart, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	text, err := licenceTexts(strings.TrimSpace(string(root)))
	if err != nil {
		return nil, fmt.Errorf("go: %w", err)
	}
	version := strings.TrimPrefix(runtime.Version(), "go")
	return []billPart{{
		name: "Go", version: version, kind: "library", purl: "pkg:golang/std@" + version,
		licences: []string{"BSD-3-Clause"}, about: "Runtime and standard library", text: text,
	}}, nil
}
