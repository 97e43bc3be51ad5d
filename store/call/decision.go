package call

// AnswerDecision is one answer to a question with a bound on wrong decisions (a step's max_wrong), as it was heard and
// judged. It holds no value: what was answered stands in the report.
type AnswerDecision struct {
	Slot  string  `json:"slot"`
	Basis string  `json:"basis"`           // question and speech model: only decisions of one basis are compared
	Score float64 `json:"score"`           // probability of the value, 0 to 1; 0: the recognizer gave none
	At    float64 `json:"at"`              // seconds from the answer to the end of the words
	Drawn bool    `json:"drawn,omitempty"` // by lot: read back whatever its score
	Asked bool    `json:"asked,omitempty"` // read back, or asked again
	Right *bool   `json:"right,omitempty"` // the person's reply to the value read back; nil: none
}
