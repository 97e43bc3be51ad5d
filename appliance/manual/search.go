package manual

import (
	"slices"
	"strings"

	fold "munadi/engine/arabic"
)

// Limits of a search.
const (
	maxWords   = 8
	maxFound   = 30
	wordsLeft  = 8 // of an excerpt, before the word that was found
	wordsRight = 24
)

// FoundSection is a section that has every word of a search.
type FoundSection struct {
	Page    Page
	Section PageSection
	Excerpt string
	weight  int
}

// Path returns the section's path in the console.
func (f FoundSection) Path() string {
	if f.Section.Level == 1 {
		return f.Page.Path()
	}
	return f.Page.Path() + "#" + f.Section.Anchor
}

// foldText normalizes a text for comparison: lower case, variants of Arabic spelling, punctuation as spaces.
func foldText(s string) string { return fold.FoldSpelling(s) }

// Search returns the sections that have every word of a query, at its beginning or within a word: those of a language
// first, then those whose heading has the words, then those that have them more often. At most 30.
func (m *Manual) Search(query, language string) (found []FoundSection) {
	words := strings.Fields(foldText(query))
	words = words[:min(len(words), maxWords)]
	if len(words) == 0 {
		return nil
	}
	for _, p := range m.pages {
		for _, s := range p.Sections {
			if weight := weigh(s, words); weight > 0 {
				if p.Language == language {
					weight += 1 << 20
				}
				found = append(found, FoundSection{p, s, excerptOf(s.text, words), weight})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b FoundSection) int { return b.weight - a.weight })
	return found[:min(len(found), maxFound)]
}

// weigh returns how well a section matches; 0 if it lacks a word.
func weigh(s PageSection, words []string) (weight int) {
	heading := foldText(s.Heading)
	for _, word := range words {
		n := strings.Count(s.folded, word)
		if n == 0 {
			return 0
		}
		weight += min(n, 10)
		if strings.Contains(heading, word) {
			weight += 100
		}
	}
	return weight
}

// excerptOf returns some words around the first place in a text that has one of the words.
func excerptOf(text string, words []string) string {
	all := strings.Fields(text)
	at := max(0, slices.IndexFunc(all, func(one string) bool {
		folded := foldText(one)
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(folded, word) })
	}))
	from, to := max(0, at-wordsLeft), min(len(all), at+wordsRight)
	excerpt := strings.Join(all[from:to], " ")
	if from > 0 {
		excerpt = "… " + excerpt
	}
	if to < len(all) {
		excerpt += " …"
	}
	return excerpt
}
