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

var (
	endpointName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)
	orgID        = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)
)

// namedService is what an entry of a list of the operator's services has in common with the others.
type namedService interface {
	serviceName() string
	allowed() []string // organizations; nil: all
	checkEntry() error
}

// parseServices parses a list in YAML or JSON, whose entries are named what and have the given fields, validates it and
// returns it as JSON; empty for an empty list.
func parseServices[E namedService](text []byte, what, fields string) (string, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return "", nil
	}
	var all []E
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("is not a list of %ss (%s): %s", what, fields, describeYAML(err))
	}
	var raw []map[string]any
	_ = yaml.Unmarshal(text, &raw) // it was read above
	seen := map[string]bool{}
	for i, e := range all {
		if value, named := raw[i]["organizations"]; named && value == nil {
			return "", fmt.Errorf("%s %d: %w", what, i+1, errNoOrganizations)
		}
		if err := errors.Join(e.checkEntry(), checkOrganizations(e.allowed())); err != nil {
			return "", fmt.Errorf("%s %d: %w", what, i+1, err)
		}
		if seen[e.serviceName()] {
			return "", fmt.Errorf("%s %d: name %q is used twice", what, i+1, e.serviceName())
		}
		seen[e.serviceName()] = true
	}
	if len(all) == 0 {
		return "", nil
	}
	data, err := json.Marshal(all)
	return string(data), err
}

var errNoOrganizations = errors.New(
	"organizations is empty: list the ids of those that may use it, or leave it out for all")

func checkOrganizations(ids []string) error {
	if ids != nil && len(ids) == 0 {
		return errNoOrganizations
	}
	for _, id := range ids {
		if !orgID.MatchString(id) {
			return fmt.Errorf("organizations: %q is not an organization's id", id)
		}
	}
	return nil
}

// checkServiceKey checks the name of the environment variable with a service's key: no setting of Munadi, but own or
// one with a suffix.
func checkServiceKey(name, own string) error {
	switch {
	case name != "" && !variableName.MatchString(name):
		return errors.New("key-env is not the name of an environment variable") // the value may be the key itself
	case strings.HasPrefix(name, variablePrefix) && name != own && !strings.HasPrefix(name, own+"_"):
		return fmt.Errorf(
			"key-env %s is a setting of Munadi; use %s, %s_NAME or a name without %s", name, own, own, variablePrefix)
	}
	return nil
}

// listServices returns a list that parseServices wrote.
func listServices[E any](text string) []E {
	var all []E
	if text == "" || json.Unmarshal([]byte(text), &all) != nil {
		return nil
	}
	return all
}

// findService returns the entry of that name that an organization may use. One that it may not use looks as if it did
// not exist.
func findService[E namedService](text, orgID, name string) (none E, ok bool) {
	for _, e := range listServices[E](text) {
		if e.serviceName() == name && (e.allowed() == nil || slices.Contains(e.allowed(), orgID)) {
			return e, true
		}
	}
	return none, false
}
