package scenario

import (
	"context"
	"fmt"
	"io/fs"
)

// BuiltIn parses the built-in scenarios of all organizations: the files of flow/. Their ids are reserved.
func BuiltIn(files fs.FS) ([]Scenario, error) {
	all, err := parseFolder(files, "flow/*.json")
	for i := range all {
		all[i].BuiltIn = true
	}
	return all, err
}

// LoadTemplates parses what a new scenario may begin as, by id: the built-in scenarios, and the files of templates/.
func LoadTemplates(files fs.FS) (map[string]Scenario, error) {
	byID := map[string]Scenario{}
	for _, folder := range []string{"flow/*.json", "templates/*.json"} {
		all, err := parseFolder(files, folder)
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			byID[one.ID] = one
		}
	}
	return byID, nil
}

// parseFolder parses the scenarios of some files, which must be valid.
func parseFolder(files fs.FS, pattern string) (all []Scenario, err error) {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		s, violations, err := DecodeScenario(context.Background(), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(violations) > 0 {
			return nil, fmt.Errorf("%s: %s %s", name, violations[0].Field, violations[0].Message)
		}
		all = append(all, s)
	}
	return all, nil
}
