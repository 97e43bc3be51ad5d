package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// The shapes are CycloneDX 1.6's (ECMA-424), as far as they are used.
type (
	cyclonedxBOM struct {
		Format       string          `json:"bomFormat"`
		SpecVersion  string          `json:"specVersion"`
		SerialNumber string          `json:"serialNumber"`
		Version      int             `json:"version"`
		Metadata     bomMetadata     `json:"metadata"`
		Components   []bomComponent  `json:"components"`
		Dependencies []bomDependency `json:"dependencies"`
	}
	bomMetadata struct {
		Timestamp string       `json:"timestamp,omitempty"`
		Component bomComponent `json:"component"`
	}
	bomComponent struct {
		Type        string         `json:"type"`
		Ref         string         `json:"bom-ref"`
		Name        string         `json:"name"`
		Version     string         `json:"version,omitempty"`
		Description string         `json:"description,omitempty"`
		PURL        string         `json:"purl,omitempty"`
		Licences    []bomLicence   `json:"licenses,omitempty"`
		Hashes      []bomHash      `json:"hashes,omitempty"`
		Components  []bomComponent `json:"components,omitempty"`
	}
	bomLicence struct {
		License struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	bomHash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	bomDependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
)

// marshalCycloneDX returns the bill as a document.
func marshalCycloneDX(version, arch string, parts []billPart) ([]byte, error) {
	b := cyclonedxBOM{Format: "CycloneDX", SpecVersion: "1.6", Version: 1}
	b.Metadata.Component = bomComponent{
		Type: "application", Ref: "munadi", Name: "munadi", Version: version, Description: "Munadi for linux/" + arch,
		Licences: asLicences([]string{"Apache-2.0"}),
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		b.Metadata.Timestamp = time.Unix(seconds, 0).UTC().Format(time.RFC3339)
	}
	needs := bomDependency{Ref: "munadi", DependsOn: []string{}}
	for _, p := range parts {
		c := p.toComponent()
		b.Components = append(b.Components, c)
		needs.DependsOn = append(needs.DependsOn, c.Ref)
	}
	b.Dependencies = []bomDependency{needs}
	content, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	// The same content has the same number.
	b.SerialNumber = "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, content).String()
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

// toComponent returns a part in the document.
func (p billPart) toComponent() bomComponent {
	c := bomComponent{
		Type: p.kind, Ref: p.name + "@" + p.version, Name: p.name, Version: p.version, Description: p.about,
		PURL: p.purl, Licences: asLicences(p.licences),
	}
	for _, f := range p.files {
		c.Components = append(c.Components, bomComponent{
			Type: "file", Ref: f.name, Name: f.name, Hashes: []bomHash{{"SHA-256", f.sha256}},
		})
	}
	return c
}

func asLicences(ids []string) []bomLicence {
	var all []bomLicence
	for _, id := range ids {
		var l bomLicence
		l.License.ID = id
		all = append(all, l)
	}
	return all
}

// sourceNotice names the source location of a part under the Mozilla Public License, as its section 3.2 requires; empty
// for parts under other licences.
func sourceNotice(p billPart) string {
	if !slices.Contains(p.licences, "MPL-2.0") {
		return ""
	}
	return fmt.Sprintf(
		"\nThis part is used unchanged. Its source code form is available under the Mozilla Public License 2.0\n"+
			"at %s, version %s; the licence: https://www.mozilla.org/MPL/2.0/\n",
		sourceAddress(p.name),
		p.version,
	)
}

// sourceAddress returns the URL of a Go module's sources: a repository has three elements on GitHub, and a module path
// may continue with a folder or the major version.
func sourceAddress(module string) string {
	elements := strings.Split(module, "/")
	if elements[0] == "github.com" && len(elements) > 3 {
		elements = elements[:3]
	}
	return "https://" + strings.Join(elements, "/")
}

// joinLicences returns every licence, each under the parts that it is of.
func joinLicences(parts []billPart) []byte {
	var b bytes.Buffer
	b.WriteString("What others made of Munadi's parts, and the terms that they come under. Its own are in LICENSE.\n")
	rule := strings.Repeat("=", 78)
	for _, p := range parts {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n%s\n%s\n", rule, p.name, p.version, strings.Join(p.licences, ", "), p.about, rule)
		b.WriteString(sourceNotice(p))
		if p.text != "" {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(p.text))
		}
	}
	return b.Bytes()
}
