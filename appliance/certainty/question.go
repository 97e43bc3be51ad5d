package certainty

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"munadi/store/call"
	"munadi/store/scenario"
)

// Question is what the calls say about the answers to a question.
type Question struct {
	Slot     scenario.AnswerSlot
	MaxWrong int // of 1,000 answers

	Counts
	Needed int // answers of known truth that the bound needs at least

	Holds     bool    // enough is known: answers from Threshold on are taken
	Threshold float64 // 0 while it does not hold: every answer is read back
	Bound     float64 // wrong ones of 1,000 that are proven for the threshold
	Weeks     []Week  // those with answers, latest first
}

// Counts are those of answers.
type Counts struct {
	Answers int // judged ones
	Asked   int // of them those that were read back or asked again
	Known   int // answers whose truth is known, see the package; of these
	Wrong   int // those that were heard wrongly
}

func (c *Counts) add(more Counts) {
	c.Answers += more.Answers
	c.Asked += more.Asked
	c.Known += more.Known
	c.Wrong += more.Wrong
}

// Week is a week of a question's answers.
type Week struct {
	Begin time.Time // Monday
	Counts
	Holds bool    // enough was known at its end
	Bound float64 // wrong ones of 1,000 that were proven at its end; 0 while it did not hold
}

// BasisOf names a question and a speech model: decisions about other questions, or by another model, say nothing.
func BasisOf(asked scenario.AnswerSlot, model string) string {
	asked.Label = scenario.Label{}
	text, _ := json.Marshal(asked) //nolint:errchkjson // no value of a slot fails
	sum := sha256.Sum256(append(text, model...))
	return hex.EncodeToString(sum[:6])
}

// questionTally collects the decisions of one question from the newest call to the oldest.
type questionTally struct {
	Question
	basis    string
	property string   // of the report
	samples  []Sample // of the newest calls first
	before   []int    // of each week, how many samples are of later ones
	zone     *time.Location
}

// countCall counts the answers of a call to the question.
func (q *questionTally) countCall(c call.Call) {
	last := -1
	for i, d := range c.Decisions {
		if d.Slot == q.Slot.Name && d.Basis == q.basis {
			last = i
		}
	}
	if last < 0 {
		return
	}
	corrected := isCorrected(c, q.property)
	for i, d := range c.Decisions {
		if d.Slot == q.Slot.Name && d.Basis == q.basis {
			q.countDecision(c, d, corrected && i == last)
		}
	}
}

// countDecision counts one answer; wrong means that staff corrected it.
func (q *questionTally) countDecision(c call.Call, d call.AnswerDecision, wrong bool) {
	one, week := Counts{Answers: 1}, q.weekOf(c)
	if d.Asked {
		one.Asked = 1
	}
	if wrong || d.Drawn && d.Right != nil {
		right := !wrong && *d.Right
		q.samples = append(q.samples, Sample{Score: d.Score, Right: right})
		if one.Known = 1; !right {
			one.Wrong = 1
		}
	}
	q.add(one)
	week.add(one)
}

// weekOf returns the week in which a call was made.
func (q *questionTally) weekOf(c call.Call) *Week {
	day := c.CreatedAt.In(q.zone)
	monday := time.Date(day.Year(), day.Month(), day.Day()-(int(day.Weekday())+6)%7, 0, 0, 0, 0, q.zone)
	for i := range q.Weeks {
		if q.Weeks[i].Begin.Equal(monday) {
			return &q.Weeks[i]
		}
	}
	q.Weeks, q.before = append(q.Weeks, Week{Begin: monday}), append(q.before, len(q.samples))
	return &q.Weeks[len(q.Weeks)-1]
}

// fit computes the bound in effect; no threshold is below least.
func (q *questionTally) fit(least float64) Question {
	q.Needed = NeededSamples(q.MaxWrong)
	if q.Threshold, q.Holds = FitThreshold(q.samples, q.MaxWrong, least); q.Holds {
		q.Bound = BoundAt(q.samples, q.Threshold)
	}
	for i := range q.Weeks {
		known := q.samples[q.before[i]:]
		if threshold, holds := FitThreshold(known, q.MaxWrong, least); holds {
			q.Weeks[i].Holds, q.Weeks[i].Bound = true, BoundAt(known, threshold)
		}
	}
	return q.Question
}

// AcceptBound says which answers to a question are taken without asking the person.
type AcceptBound struct {
	Accept float64 // probability from which a value is taken; a less likely one is read back
	Draw   float64 // share of answers that are read back by lot, whatever their probability
	Basis  string  // of the decisions, see [BasisOf]
}

// acceptBound returns what the question's next answers are judged by; usual is the threshold while the bound does not
// hold. As many are read back by lot as keep the sample large enough, twice what the bound needs.
func (q Question) acceptBound(model string, usual float64) AcceptBound {
	b := AcceptBound{Accept: usual, Draw: 1, Basis: BasisOf(q.Slot, model)}
	if q.Holds {
		b.Accept, b.Draw = q.Threshold, max(leastDraw, min(1, float64(2*q.Needed)/float64(q.Answers)))
	}
	return b
}

// leastDraw is the least share of answers that are read back by lot.
const leastDraw = 0.03

// isCorrected reports whether staff gave a property of the report another value.
func isCorrected(c call.Call, property string) bool {
	var heard map[string]json.RawMessage
	if !c.HasCorrections() || json.Unmarshal(c.Report, &heard) != nil {
		return false
	}
	changed := false
	for _, one := range c.Corrections {
		if one.Slot == property {
			changed = !bytes.Equal(bytes.TrimSpace(one.Value), bytes.TrimSpace(heard[property]))
		}
	}
	return changed
}
