package main

import (
	"errors"
	"slices"
	"strings"
)

// marks are phrases that identify a licence; all of a line's must occur, and the first matching line wins.
var marks = []struct {
	id  string
	say []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "names of its contributors"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}},
	{"MIT", []string{
		"permission is hereby granted, free of charge", "the above copyright notice and this permission notice",
	}},
	{"MIT-0", []string{"permission is hereby granted, free of charge"}},
	{"ISC", []string{"permission to use, copy, modify,", "distribute this software for any purpose with or without fee"}},
	{"Unlicense", []string{"free and unencumbered software released into the public domain"}},
	{"CC0-1.0", []string{"cc0 1.0 universal"}},
}

// identifyLicences returns the SPDX identifiers of the licences in a text. Copyleft licences are not among them: they
// are an error, to be reviewed by a person.
func identifyLicences(text string) ([]string, error) {
	flat := strings.ToLower(strings.Join(strings.Fields(text), " "))
	var ids []string
	for _, m := range marks {
		if missing := slices.ContainsFunc(m.say, func(s string) bool { return !strings.Contains(flat, s) }); missing {
			continue
		}
		family, _, _ := strings.Cut(m.id, "-")
		if !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, family) }) {
			ids = append(ids, m.id)
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("its licence is none that is known here")
	}
	return ids, nil
}
