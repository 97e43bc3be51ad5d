package restaurant

import "time"

// PhraseSet are one organization's words for restaurant mode. A nil list means the built-in one, an empty list none;
// an organization without a record has the built-in ones throughout.
type PhraseSet struct {
	Bias      []string  `json:"bias"`  // dishes, sizes, extras: what the decoder leans towards
	Enter     []string  `json:"enter"` // heard in a transcript, they begin the mode
	Exit      []string  `json:"exit"`  // heard in a transcript, they end it
	UpdatedAt time.Time `json:"updated_at"`
}
