package component

// AskQuestion is what [Ask] asks.
type AskQuestion struct {
	Title, Text string
	Action      string // where the form is posted to
	CSRF        string
	Do          string // the button's word
	Danger      bool   // it destroys something
	Back, Leave string // the way out, and its word
}
