package restaurant

import "time"

// PhraseSet holds one organization's phrases for restaurant mode. A nil list means the built-in one, an empty list
// none; an organization without a record uses the built-in lists.
type PhraseSet struct {
	Bias      []string  `json:"bias"`  // dishes, sizes, extras: phrases that decoding is biased towards (hotwords)
	Enter     []string  `json:"enter"` // trigger phrases in a transcript that enter the mode
	Exit      []string  `json:"exit"`  // trigger phrases in a transcript that leave it
	UpdatedAt time.Time `json:"updated_at"`
}

// IsEmpty reports whether the set has no list of its own.
func (p PhraseSet) IsEmpty() bool { return p.Bias == nil && p.Enter == nil && p.Exit == nil }

// FillLists returns the effective phrases: the set's own lists, and those of builtIn where a list is nil. An empty list
// overrides the built-in one.
func (p PhraseSet) FillLists(builtIn PhraseSet) PhraseSet {
	if p.Bias == nil {
		p.Bias = builtIn.Bias
	}
	if p.Enter == nil {
		p.Enter = builtIn.Enter
	}
	if p.Exit == nil {
		p.Exit = builtIn.Exit
	}
	return p
}
