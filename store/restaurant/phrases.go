package restaurant

import (
	"slices"
	"time"
)

// PhraseSet holds one organization's phrases for restaurant mode. A nil list means the built-in one, an empty list
// none; an organization without a record uses the built-in lists.
type PhraseSet struct {
	Bias      []string  `json:"bias"`  // dishes, sizes, extras: phrases that decoding is biased towards (hotwords)
	Enter     []string  `json:"enter"` // trigger phrases in a transcript that enter the mode
	Exit      []string  `json:"exit"`  // trigger phrases in a transcript that leave it
	UpdatedAt time.Time `json:"updated_at"`

	// Dismissed are the ids of proposed phrases of scenarios that are not proposed again, oldest first.
	Dismissed []string `json:"dismissed,omitempty"`
}

// MaxDismissed bounds the dismissed proposals: the oldest are forgotten.
const MaxDismissed = 2000

// Dismiss adds a proposal to the dismissed ones.
func (p *PhraseSet) Dismiss(id string) {
	if !slices.Contains(p.Dismissed, id) {
		p.Dismissed = append(slices.Clip(p.Dismissed), id)
		p.Dismissed = p.Dismissed[max(0, len(p.Dismissed)-MaxDismissed):]
	}
}

// HasOwnLists reports whether the set has a list of its own.
func (p PhraseSet) HasOwnLists() bool { return p.Bias != nil || p.Enter != nil || p.Exit != nil }

// IsEmpty reports whether the set has no list of its own, and nothing was dismissed.
func (p PhraseSet) IsEmpty() bool { return !p.HasOwnLists() && len(p.Dismissed) == 0 }

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
