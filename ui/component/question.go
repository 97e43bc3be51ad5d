package component

// AskQuestion is a confirmation page, see [Ask].
type AskQuestion struct {
	Title, Text string
	Action      string // form action
	Do          string // label of the confirm button
	Danger      bool   // destructive action
	Back        string // where the cancel link leads
	Name, Value string // that go with the form; empty: none
}
