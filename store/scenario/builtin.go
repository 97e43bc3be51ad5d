package scenario

import (
	"context"
	"fmt"
	"io/fs"
)

// BuiltIn parses the built-in scenarios of all organizations: the files of flow/. Their ids are reserved.
func BuiltIn(files fs.FS) ([]Scenario, error) {
	names, err := fs.Glob(files, "flow/*.json")
	if err != nil {
		return nil, err
	}
	var all []Scenario
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
		s.BuiltIn = true
		all = append(all, s)
	}
	return all, nil
}
