package scenarios

import (
	"fmt"
	"strconv"

	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// FlowMap is the picture of a scenario's flow: the steps in their order as boxes, the ways from one to the next as
// arrows down, and all other ways as arcs at the side, one lane for each target. Lengths are in pixels, from the upper
// corner where lines of text begin.
type FlowMap struct {
	Width, Height int
	Boxes         []MapBox
	Arrows        []MapArrow
	Lanes         []MapLane
	RightToLeft   bool
	Counted       bool // it has figures of reports
	Small         bool // a picture without words
}

// MapBox is a step, or the end of the call.
type MapBox struct {
	Index         int // of the step; the number of steps for the end
	X, Y          int
	Width, Height int
	Number, Title string
	Kind          string // of the step; "over" for the end
	Note          string // about the step: how many people answered
	Href          string // of the step on the page; empty: none
	Ways          []MapWay
	Next          int // where the call goes on otherwise, if that is not the next box; -1: it is
}

// MapWay is a way out of a step that has a condition.
type MapWay struct {
	Text   string // the condition
	Count  string // of calls that went this way; empty: not known
	Target int    // index of a step, or their number
	Y      int    // of its line
}

// MapArrow leads down from one box to the next.
type MapArrow struct{ X, From, To int }

// MapLane is the way of all arcs to one target: down or up in a lane, then to the target's box.
type MapLane struct {
	From []int // heights at which arcs come in
	To   int   // height at which they leave
	X    int   // of the lane
	Edge int   // of the boxes
}

// mapSize is the geometry of a map, in pixels.
type mapSize struct{ box, head, way, gap, lane, margin int }

var (
	fullMap  = mapSize{box: 216, head: 46, way: 20, gap: 18, lane: 12, margin: 4}
	smallMap = mapSize{box: 44, head: 9, way: 0, gap: 5, lane: 5, margin: 2}
)

// MapFacts are what the page knows beside the scenario.
type MapFacts struct {
	Href    func(index int) string    // where a step is on the page; nil: nowhere
	Answers map[string]map[string]int // how often each slot had each value in reports; nil: not known
}

// DrawMap returns the picture of a scenario's flow.
func DrawMap(plan scenario.Scenario, l locale.Language, facts MapFacts) FlowMap {
	return drawMap(plan, l, facts, fullMap)
}

// DrawSmallMap returns the picture without words.
func DrawSmallMap(plan scenario.Scenario, l locale.Language) FlowMap {
	m := drawMap(plan, l, MapFacts{}, smallMap)
	m.Small = true
	return m
}

func drawMap(plan scenario.Scenario, l locale.Language, facts MapFacts, size mapSize) FlowMap {
	d := mapDrawing{plan: plan, lang: l, facts: facts, size: size}
	for i := range plan.Steps {
		d.addBox(d.stepBox(i))
	}
	d.addBox(MapBox{
		Index: len(plan.Steps), Kind: "over", Title: MapOver.In(l), Height: max(size.head*2/3, 8),
	})
	for i := range plan.Steps {
		d.connectStep(i)
	}
	d.layLanes()
	m := &d.picture
	m.RightToLeft, m.Counted = l == locale.Arabic, len(facts.Answers) > 0
	last := m.Boxes[len(m.Boxes)-1]
	m.Height = last.Y + last.Height + size.margin
	return *m
}

// mapDrawing is a map that is being drawn.
type mapDrawing struct {
	plan    scenario.Scenario
	lang    locale.Language
	facts   MapFacts
	size    mapSize
	picture FlowMap
	arcs    map[int][]int // heights at which arcs to a target begin
}

// addBox places a box below the others.
func (d *mapDrawing) addBox(b MapBox) {
	b.X, b.Y, b.Width = d.size.margin, d.size.margin, d.size.box
	if all := d.picture.Boxes; len(all) > 0 {
		b.Y = all[len(all)-1].Y + all[len(all)-1].Height + d.size.gap
	}
	for i := range b.Ways {
		b.Ways[i].Y = b.Y + d.size.head + i*d.size.way + d.size.way/2
	}
	d.picture.Boxes = append(d.picture.Boxes, b)
}

// stepBox returns the box of a step, not yet placed.
func (d *mapDrawing) stepBox(i int) MapBox {
	step := d.plan.Steps[i]
	b := MapBox{
		Index: i, Number: strconv.Itoa(i + 1), Title: LabelText(d.lang, step.Label, step.ID), Kind: string(step.Type),
		Note: StepName(d.lang, string(step.Type)), Ways: d.stepWays(i), Next: -1,
	}
	if i > 0 && i == d.plan.FirstStep() {
		b.Note += " · " + MapBegins.In(d.lang)
	}
	if d.facts.Href != nil {
		b.Href = d.facts.Href(i)
	}
	if step.Slot != nil && step.Type == scenario.Ask {
		if note := d.answerNote(step.Slot.Name); note != "" {
			b.Note = note
		}
	}
	b.Height = d.size.head + len(b.Ways)*d.size.way
	return b
}

// stepWays returns the ways out of a step that have a condition.
func (d *mapDrawing) stepWays(i int) (ways []MapWay) {
	step := d.plan.Steps[i]
	for _, c := range step.Cases {
		way := MapWay{Text: d.caseText(c), Target: d.plan.FindStep(c.Next)}
		if n := d.countCase(c); n > 0 {
			way.Count = locale.FormatCount(n)
		}
		ways = append(ways, way)
	}
	if step.OnFailure != "" {
		ways = append(ways, MapWay{Text: MapFailure.In(d.lang), Target: d.plan.FindStep(step.OnFailure)})
	}
	if step.Type == scenario.Transfer {
		ways = append(ways, MapWay{Text: MapTransferred.In(d.lang), Target: len(d.plan.Steps)})
	}
	return ways
}

// caseText returns the condition of a case.
func (d *mapDrawing) caseText(c scenario.BranchCase) string {
	e := editor{plan: &d.plan}
	slot := e.findSlot(c.Slot)
	name := LabelText(d.lang, slot.Label, c.Slot)
	for _, v := range d.plan.Variables {
		if v.Name == c.Slot {
			name = LabelText(d.lang, v.Label, v.Name)
		}
	}
	switch {
	case c.IsSet != nil && *c.IsSet:
		return name + " " + EditorIsSet.In(d.lang)
	case c.IsSet != nil:
		return name + " " + EditorIsUnset.In(d.lang)
	}
	value := PlainJSON(c.Equals)
	if yes, is := c.Equals.(bool); is {
		value = map[bool]locale.Text{true: calls.CallYes, false: calls.CallNo}[yes].In(d.lang)
	}
	for _, o := range slot.Choices {
		if o.Value == value {
			value = ChoiceLabel(d.lang, o)
		}
	}
	return name + ": " + value
}

// countCase returns how many reports have the value of a case; 0: none, or not known.
func (d *mapDrawing) countCase(c scenario.BranchCase) int {
	if c.Equals == nil {
		return 0
	}
	return d.facts.Answers[c.Slot][PlainJSON(c.Equals)]
}

// answerNote says how many of the reported calls have an answer to a slot; empty without reports.
func (d *mapDrawing) answerNote(slot string) string {
	answered, all := countAnswers(d.facts.Answers[slot])
	if all == 0 {
		return ""
	}
	return locale.FillSentence(MapAnswered.In(d.lang), "n", locale.FormatCount(answered), "all", locale.FormatCount(all))
}

// countAnswers returns how many reports have an answer to a slot, of how many.
func countAnswers(values map[string]int) (answered, all int) {
	for value, n := range values {
		if all += n; value != "null" {
			answered += n
		}
	}
	return answered, all
}

// connectStep draws the ways out of a step.
func (d *mapDrawing) connectStep(i int) {
	step, box := d.plan.Steps[i], d.picture.Boxes[i]
	if d.arcs == nil {
		d.arcs = map[int][]int{}
	}
	for _, way := range box.Ways {
		d.arcs[way.Target] = append(d.arcs[way.Target], way.Y)
	}
	next := len(d.plan.Steps)
	if step.Type != scenario.End {
		next = d.plan.NextStep(i, step.Next)
	}
	if next == i+1 {
		below := d.picture.Boxes[i+1]
		d.picture.Arrows = append(d.picture.Arrows, MapArrow{X: box.X + box.Width/2, From: box.Y + box.Height, To: below.Y})
		return
	}
	d.picture.Boxes[i].Next = next
	d.arcs[next] = append(d.arcs[next], box.Y+d.size.head/2)
}

// layLanes gives each target with arcs the first lane that is free at their heights.
func (d *mapDrawing) layLanes() {
	m, edge := &d.picture, d.size.margin+d.size.box
	type span struct{ top, bottom int }
	var taken [][]span
	for target := range m.Boxes {
		from := d.arcs[target]
		if len(from) == 0 {
			continue
		}
		to := m.Boxes[target].Y + min(d.size.head, m.Boxes[target].Height)/4
		s := span{to, to}
		for _, y := range from {
			s.top, s.bottom = min(s.top, y), max(s.bottom, y)
		}
		lane := 0
		for ; lane < len(taken); lane++ {
			free := true
			for _, other := range taken[lane] {
				free = free && (s.bottom < other.top || s.top > other.bottom)
			}
			if free {
				break
			}
		}
		if lane == len(taken) {
			taken = append(taken, nil)
		}
		taken[lane] = append(taken[lane], s)
		m.Lanes = append(m.Lanes, MapLane{From: from, To: to, X: edge + d.size.lane*(lane+1), Edge: edge})
	}
	m.Width = edge + d.size.lane*(len(taken)+1) + d.size.margin
}

// x mirrors a distance from where lines begin, for what is w wide.
func (m FlowMap) x(at, w int) string {
	if m.RightToLeft {
		at = m.Width - at - w
	}
	return strconv.Itoa(at)
}

// path returns the arcs of a lane.
func (m FlowMap) path(lane MapLane) string {
	out := ""
	for _, y := range lane.From {
		out += fmt.Sprintf("M%s %dH%sV%d", m.x(lane.Edge, 0), y, m.x(lane.X, 0), lane.To)
	}
	return out + fmt.Sprintf("H%s", m.x(lane.Edge+m.head(), 0))
}

// head returns the length of an arrow's head.
func (m FlowMap) head() int {
	if m.Small {
		return 3
	}
	return 6
}

// sideHead returns the points of the arrow's head with which a lane ends.
func (m FlowMap) sideHead(lane MapLane) string {
	h := m.head()
	return fmt.Sprintf("%s,%d %s,%d %s,%d", m.x(lane.Edge, 0), lane.To, m.x(lane.Edge+h, 0), lane.To-h*2/3,
		m.x(lane.Edge+h, 0), lane.To+h*2/3)
}

// downHead returns the points of the arrow's head of an arrow down.
func (m FlowMap) downHead(a MapArrow) string {
	h, x := m.head(), a.X
	return fmt.Sprintf("%s,%d %s,%d %s,%d", m.x(x, 0), a.To, m.x(x-h*2/3, 0), a.To-h, m.x(x+h*2/3, 0), a.To-h)
}

func (m FlowMap) viewBox() string { return fmt.Sprintf("0 0 %d %d", m.Width, m.Height) }

// clipTo shortens a text that would be wider than its box.
func clipTo(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// targetName returns the name of the step that a way leads to.
func (m FlowMap) targetName(target int) string {
	if b := m.Boxes[target]; b.Number != "" {
		return b.Number + ". " + b.Title
	}
	return m.Boxes[target].Title
}
