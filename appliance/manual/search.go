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

// Search returns the sections that have every word of a query: those of a language first, then those whose heading has
// the words, then those that have them more often. At most 30. A word such as no_audio is found as a whole.
func (m *Manual) Search(query, language string) (found []FoundSection) {
	var words []string
	for _, one := range strings.Fields(query) {
		if word := foldText(one); word != "" && len(words) < maxWords {
			words = append(words, word)
		}
	}
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
		n := countWord(s.folded, word)
		if n == 0 {
			return 0
		}
		weight += min(n, 10)
		if countWord(heading, word) > 0 {
			weight += 100
		}
	}
	return weight
}

// shortWord is the length, in bytes, below which a word is found at the beginning of words alone; longer ones also
// behind the article or a preposition (والنسخ).
const shortWord = 5

// countWord returns how often a folded text has a folded word.
func countWord(text, word string) int {
	if len(word) < shortWord {
		return strings.Count(" "+text, " "+word)
	}
	return strings.Count(text, word)
}

// excerptOf returns some words around the first place in a text that has one of the words.
func excerptOf(text string, words []string) string {
	all := strings.Fields(text)
	at := max(0, slices.IndexFunc(all, func(one string) bool {
		folded := foldText(one)
		return slices.ContainsFunc(words, func(word string) bool { return countWord(folded, word) > 0 })
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
