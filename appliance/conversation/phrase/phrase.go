// Package phrase finds known phrases in recognized words.
//
// It is a leaf beside engine/arabic: words are compared folded, and a long word may have one wrong letter, as
// recognizers produce for unclear speech. It does not interpret phrases; its callers do.
package phrase

import (
	"strings"
	"unicode/utf8"

	"munadi/engine/arabic"
)

// PhraseList is a set of phrases.
type PhraseList struct{ phrases [][]string }

// NewList returns a list of phrases without the empty ones.
func NewList(texts []string) PhraseList {
	var l PhraseList
	for _, t := range texts {
		if words := FoldWords(t); len(words) > 0 {
			l.phrases = append(l.phrases, words)
		}
	}
	return l
}

// AppendPhrases returns the list with further phrases.
func (l PhraseList) AppendPhrases(texts []string) PhraseList {
	more := NewList(texts)
	return PhraseList{append(l.phrases[:len(l.phrases):len(l.phrases)], more.phrases...)}
}

// maxWords is the maximum number of words of a turn that are searched.
const maxWords = 300

// FoldWords splits a text into folded words.
func FoldWords(s string) []string {
	words := strings.Fields(arabic.FoldSpelling(s))
	return words[:min(len(words), maxWords)]
}

// IndexIn returns the index of the word at which the first phrase of the list begins; -1 for none.
func (l PhraseList) IndexIn(words []string) int {
	for i := range words {
		if l.matchLengthAt(words, i) > 0 {
			return i
		}
	}
	return -1
}

// CountIn returns the number of phrases of the list in the words, without overlap.
func (l PhraseList) CountIn(words []string) int {
	n := 0
	for i := 0; i < len(words); {
		if size := l.matchLengthAt(words, i); size > 0 {
			n++
			i += size
			continue
		}
		i++
	}
	return n
}

// CoversAll reports whether the words consist only of phrases of the list.
func (l PhraseList) CoversAll(words []string) bool {
	for i := 0; i < len(words); {
		size := l.matchLengthAt(words, i)
		if size == 0 {
			return false
		}
		i += size
	}
	return len(words) > 0
}

// EndsWith reports whether the words end with a phrase of the list.
func (l PhraseList) EndsWith(words []string) bool {
	for _, p := range l.phrases {
		if n := len(words) - len(p); n >= 0 && phrasesAlike(words[n:], p) {
			return true
		}
	}
	return false
}

// matchLengthAt returns the length of the longest phrase that begins with word i.
func (l PhraseList) matchLengthAt(words []string, i int) int {
	longest := 0
	for _, p := range l.phrases {
		if len(p) > longest && i+len(p) <= len(words) && phrasesAlike(words[i:i+len(p)], p) {
			longest = len(p)
		}
	}
	return longest
}

func phrasesAlike(heard, phrase []string) bool {
	for i := range phrase {
		if heard[i] != phrase[i] && !oneLetterApart(heard[i], phrase[i]) {
			return false
		}
	}
	return true
}

// minLettersForTypo is how many letters a word must have for one of them to be wrong: shorter ones have too many
// neighbours.
const minLettersForTypo = 5

// oneLetterApart reports whether two words are one letter apart.
func oneLetterApart(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if utf8.RuneCountInString(b) < minLettersForTypo || len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) == len(y) {
		return i == len(x) || string(x[i+1:]) == string(y[i+1:])
	}
	return string(x[i:]) == string(y[i+1:])
}
