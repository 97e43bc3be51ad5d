package decode

// WorkBudget bounds what the searches of one utterance may compute, in joints: evaluations of the joint network. A search that
// has used it up goes on with its best hypothesis alone and at most one label a frame, so that it ends soon. nil bounds
// nothing. It belongs to one goroutine.
type WorkBudget struct {
	left  int
	short bool
}

// NewWork returns a bound of n joints.
func NewWork(n int) *WorkBudget { return &WorkBudget{left: n} }

// WasCut says whether a search was cut short.
func (w *WorkBudget) WasCut() bool { return w != nil && w.short }

// spendJoints counts n joints, and says whether there is work left for more.
func (w *WorkBudget) spendJoints(n int) bool {
	if w == nil {
		return true
	}
	w.left -= n
	w.short = w.short || w.left <= 0
	return !w.short
}

// hasJoints says whether n joints are left.
func (w *WorkBudget) hasJoints(n int) bool { return w == nil || n <= w.left }

// noteRefused notes that something was left out because it is more work than is left.
func (w *WorkBudget) noteRefused() { w.short = true }
