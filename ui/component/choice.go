package component

// ListChoice is one of a list to choose from.
type ListChoice struct {
	Value, Name, URL string
	Chosen           bool
	Count            int
	Counted          bool   // Count is shown
	Dot              string // state that it stands for; empty: none
}

// FactLine is one line of a list of facts. Values are for people and programs alike, left to right.
type FactLine struct{ Name, Value string }
