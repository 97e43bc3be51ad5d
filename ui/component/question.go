package component

// AskQuestion is a confirmation page, see [Ask].
type AskQuestion struct {
	Title, Text string
	Action      string // form action
	CSRF        string
	Do          string // label of the confirm button
	Danger      bool   // destructive action
	Back, Leave string // cancel link and its label
}
