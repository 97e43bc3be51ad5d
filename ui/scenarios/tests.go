package scenarios

// TestLine is a test of a scenario, with its result if it was run.
type TestLine struct {
	Always bool // it expects nothing: it passes whatever is said

	Name     string
	Run      bool
	Passed   bool
	Failures []string
}

// testRole is the ARIA role of the results: failures are announced.
func testRole(t TestSummary) string {
	if t.Bad {
		return "alert"
	}
	return "status"
}

// TestSummary is the result of a run of tests, in the editor.
type TestSummary struct {
	Text    string
	Bad     bool
	Results []TestLine
	Blocks  bool // the scenario was not published for it
	May     bool // an owner, who may publish it nevertheless
}
