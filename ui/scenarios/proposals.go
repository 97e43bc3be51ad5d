package scenarios

// PhraseProposal is a phrase that staff's corrections propose for an answer.
type PhraseProposal struct {
	ID       string
	Question string
	Heard    string
	Value    string // what the answer was corrected to
	Phrase   string // to be added
	Calls    int
}
