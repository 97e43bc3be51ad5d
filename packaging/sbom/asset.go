package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licence names in assets/SOURCES and their SPDX identifiers.
var named = []struct{ written, id string }{
	{"SIL Open Font License 1.1", "OFL-1.1"},
	{"CC BY 4.0", "CC-BY-4.0"},
	{"Apache-2.0", "Apache-2.0"},
	{"BSD-3-Clause", "BSD-3-Clause"},
	{"MIT-0", "MIT-0"},
	{"MIT", "MIT"},
}

var (
	sumLine  = regexp.MustCompile(`^([0-9a-f]{64})  (\S+)$`)
	licences = regexp.MustCompile(`\b[\w/]+/(LICENSE|ThirdPartyNotices\.txt|OFL\.txt)\b`)
	release  = regexp.MustCompile(`\b\d+\.\d+\.\d+\b`)
)

// shippedAssets returns the parts listed in assets/SOURCES: a comment, then the checksums of the files.
func shippedAssets(arch string) ([]billPart, error) {
	text, err := os.ReadFile("assets/SOURCES")
	if err != nil {
		return nil, err
	}
	var all []billPart
	for paragraph := range strings.SplitSeq(string(text), "\n\n") {
		p := assetOf(paragraph, arch)
		if len(p.files) == 0 {
			continue // the introduction, and what is linked: libraries knows that
		}
		if err := p.readTexts(); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("assets/SOURCES lists nothing")
	}
	return all, nil
}

// assetOf reads a paragraph of the list, without the files of other architectures.
func assetOf(paragraph, arch string) billPart {
	p := billPart{kind: "data"}
	var comment []string
	for line := range strings.Lines(paragraph) {
		line = strings.TrimSpace(line)
		found := sumLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "#"):
			comment = append(comment, strings.TrimSpace(strings.TrimPrefix(line, "#")))
		case found != nil && (!strings.Contains(found[2], "linux-") || strings.Contains(found[2], "linux-"+arch+"/")):
			p.files = append(p.files, partFile{"assets/" + found[2], found[1]})
		}
	}
	p.about = strings.Join(comment, " ")
	p.name, _, _ = strings.Cut(p.about, " (")
	if !strings.Contains(p.about, "made for Munadi") { // else the number is a tool's
		p.version = release.FindString(p.about)
	}
	if strings.Contains(p.about, ".onnx") || strings.Contains(p.name, "model") {
		p.kind = "machine-learning-model"
	}
	for _, n := range named {
		if strings.Contains(p.about, n.written) && (n.id != "MIT" || !strings.Contains(p.about, "MIT-0")) {
			p.licences = append(p.licences, n.id)
		}
	}
	return p
}

// attribution is the licence whose terms want their address beside the work.
const attribution = "CC-BY-4.0"

// readTexts adds the licence files that the comment names, and where the terms stand that are in none.
func (p *billPart) readTexts() error {
	if slices.Contains(p.licences, attribution) {
		p.text = "CC BY 4.0: https://creativecommons.org/licenses/by/4.0/legalcode\n\n"
	}
	for _, name := range licences.FindAllString(p.about, -1) {
		text, err := os.ReadFile(filepath.Join("assets", name))
		if err != nil {
			return err
		}
		p.text += strings.TrimSpace(string(text)) + "\n\n"
	}
	return nil
}

// linkedLibraries returns the C libraries that are linked in, by Debian's own notes on them.
func linkedLibraries(docs string) ([]billPart, error) {
	all := []billPart{{
		name: "miniaudio", kind: "library", licences: []string{"MIT-0"},
		about: "By David Reid, public domain or MIT-0; in the sources of github.com/gen2brain/malgo",
	}}
	for _, l := range []struct{ name, debian string }{
		{"Opus", "libopus-dev"}, {"Ogg", "libogg-dev"}, {"Vorbis", "libvorbis-dev"},
	} {
		text, err := os.ReadFile(filepath.Join(docs, l.debian, "copyright"))
		if err != nil {
			return nil, fmt.Errorf("the licence of %s: %w", l.name, err)
		}
		all = append(all, billPart{
			name: l.name, version: debianVersion(docs, l.debian), kind: "library", licences: []string{"BSD-3-Clause"},
			about: "Static library of Debian's " + l.debian, text: strings.TrimSpace(string(text)),
		})
	}
	return all, nil
}

// debianVersion is that of the unpacked package where its folder notes it, else that of the installed one.
func debianVersion(docs, name string) string {
	if text, err := os.ReadFile(filepath.Join(docs, name, "version")); err == nil {
		return strings.TrimSpace(string(text))
	}
	text, err := exec.Command("dpkg-query", "--show", "--showformat=${Version}", name).Output()
	if err != nil {
		return "" // no Debian: the library is named without its version
	}
	return strings.TrimSpace(string(text))
}
