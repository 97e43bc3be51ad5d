package replayer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"munadi/appliance/conversation/rehearsal"
	"munadi/engine/audio"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/replay"
)

// window is the length of the sound whose level decides whether the person speaks.
const window = 20 * time.Millisecond

// Limits of the person's speech in a recording.
const (
	before   = 200 * time.Millisecond // that a sound keeps before the first speech,
	after    = 300 * time.Millisecond // and after the last
	slack    = 200 * time.Millisecond // by which times of messages are uncertain
	join     = 600 * time.Millisecond // the longest pause between lines of the platform that it speaks without waiting
	longest  = time.Minute            // of one act
	leastRun = 3                      // windows of speech; less is a click
)

// Speech is louder than the line by so much, and than this level at least (RMS of 16-bit samples).
const (
	louder = 4
	least  = 150
)

// personAct is what the person did at a time of the recorded call.
type personAct struct {
	rehearsal.Act
	at time.Duration
}

// span is a part of a call.
type span struct{ from, to time.Duration }

// listActs returns what the person did in a recorded call, whose sound is at [blob.Rate]: what was said to each of the
// platform's lines as one act, keys, silences after which the platform asked again, and the hang-up.
func listActs(c call.Call, sound []int16) (acts []personAct) {
	end := lengthOf(sound)
	blocks := platformBlocks(c.Messages)
	speech := findSpeech(c.Messages, sound)
	limits := append([]span{{}}, blocks...)
	for i, block := range limits {
		until := end + longest
		if i+1 < len(limits) {
			until = limits[i+1].from
		}
		if until <= block.from && i > 0 {
			continue
		}
		some := actsWithin(c, sound, speech, block, until, i > 0)
		acts = append(acts, some...)
	}
	if c.EndedBy == call.ByCustomer {
		last := limits[len(limits)-1]
		a := personAct{rehearsal.Act{Answer: rehearsal.HangUp}, end}
		if end < last.to-slack {
			a.Into, a.Fresh = max(window, end-last.from), len(acts) == 0 || acts[len(acts)-1].at < last.from
		}
		acts = append(acts, a)
	}
	return acts
}

// platformBlocks returns when the platform spoke, lines without a pause as one.
func platformBlocks(messages []call.Message) (blocks []span) {
	for _, m := range messages {
		if m.Role != call.Assistant {
			continue
		}
		next := span{seconds(m.Start), seconds(m.End)}
		if n := len(blocks); n > 0 && next.from-blocks[n-1].to < join && !spokenBetween(messages, blocks[n-1].to, next.from) {
			blocks[n-1].to = max(blocks[n-1].to, next.to)
			continue
		}
		blocks = append(blocks, next)
	}
	return blocks
}

// spokenBetween reports whether a turn of the person ends between two times.
func spokenBetween(messages []call.Message, from, to time.Duration) bool {
	return slices.ContainsFunc(messages, func(m call.Message) bool {
		return m.Role == call.User && seconds(m.End) >= from-slack && seconds(m.End) <= to
	})
}

// actsWithin returns the acts from the begin of a block of the platform's lines until the next one.
func actsWithin(
	c call.Call, sound []int16, speech []span, block span, until time.Duration, spoke bool,
) (acts []personAct) {
	var groups []span // during the lines, and after them
	for _, s := range speech {
		if s.from < block.from || s.from >= until {
			continue
		}
		n := len(groups)
		aside := n > 0 && groups[n-1].to < block.to-slack && s.from >= block.to-slack
		if n == 0 || aside {
			groups = append(groups, s)
			continue
		}
		groups[n-1].to = max(groups[n-1].to, s.to) // a turn may end after its last loud part
	}
	for _, g := range groups {
		a := personAct{at: g.from}
		if a.Sound = cut(sound, max(block.from, g.from-before), min(until, g.to+after)); len(a.Sound) == 0 {
			continue
		}
		if !spoke || g.from < block.to-slack {
			a.Into = max(window, g.from-before-block.from)
		}
		acts = append(acts, a)
	}
	for _, m := range c.Messages {
		if at := seconds(m.Start); m.Role == call.User && isKeys(m) && at >= block.from && at < until {
			acts = append(acts, personAct{rehearsal.Act{Answer: rehearsal.Keys + m.Content}, at})
		}
	}
	slices.SortStableFunc(acts, func(a, b personAct) int { return cmp.Compare(a.at, b.at) })
	for i := range acts {
		acts[i].Fresh = spoke && i == 0
	}
	if len(acts) == 0 && slices.ContainsFunc(c.Errors, func(e call.CallError) bool {
		return e.Code == "no_input" && seconds(e.At) >= block.from && seconds(e.At) < until
	}) {
		acts = append(acts, personAct{rehearsal.Act{Answer: rehearsal.Silent}, block.to})
	}
	return acts
}

// isKeys reports whether a turn is keys that were pressed.
func isKeys(m call.Message) bool {
	if m.Confidence != 1 || m.Content == "" {
		return false
	}
	return !slices.ContainsFunc([]rune(m.Content), func(r rune) bool {
		return (r < '0' || r > '9') && r != '*' && r != '#' && (r < 'A' || r > 'D')
	})
}

// findSpeech returns when the person spoke: where the sound is louder than the line, and where words were recognized.
func findSpeech(messages []call.Message, sound []int16) (all []span) {
	levels := levelsOf(sound)
	sorted := slices.Sorted(slices.Values(levels))
	limit := float64(least)
	if len(sorted) > 0 {
		limit = max(limit, louder*sorted[len(sorted)/7])
	}
	for i := 0; i < len(levels); i++ {
		n := i
		for n < len(levels) && levels[n] > limit {
			n++
		}
		if n-i >= leastRun {
			all = append(all, span{time.Duration(i) * window, time.Duration(n) * window})
		}
		i = max(i, n)
	}
	for _, m := range messages {
		if m.Role == call.User && !isKeys(m) {
			all = append(all, span{seconds(m.Start), seconds(m.End)})
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return all
}

// levelsOf returns the level of each window of a sound (RMS).
func levelsOf(sound []int16) (levels []float64) {
	for part := range slices.Chunk(sound, int(window*blob.Rate/time.Second)) {
		levels = append(levels, audio.MeasureRMS(part))
	}
	return levels
}

// cut returns the sound from a time until another, [longest] at most.
func cut(sound []int16, from, to time.Duration) []int16 {
	first, last := indexAt(from), indexAt(min(to, from+longest))
	first, last = min(first, len(sound)), min(last, len(sound))
	return sound[first:max(first, last)]
}

func indexAt(t time.Duration) int { return int(max(0, t) * blob.Rate / time.Second) }

func lengthOf(sound []int16) time.Duration {
	return time.Duration(len(sound)) * time.Second / blob.Rate
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// compareCalls returns what came out otherwise.
func compareCalls(c call.Call, acts []personAct, out rehearsal.Outcome) replay.Result {
	r := replay.Result{
		CallID: c.ID, OldStatus: string(c.Status), NewStatus: string(out.Status), OldTurns: countTurns(c.Messages),
		NewTurns: countTurns(out.Messages), Parted: findFork(c.Messages, out.Messages),
	}
	said := firstOtherWords(c.Messages, out.Heard)
	before, now := valuesOf(c.Report), valuesOf(out.Report)
	names := maps.Clone(before)
	if names == nil {
		names = map[string]json.RawMessage{}
	}
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if bytes.Equal(before[name], now[name]) {
			continue
		}
		act, known := out.SlotActs[name]
		if !known {
			act = said
		}
		r.Report = append(r.Report, replay.Difference{
			Name: name, Old: string(before[name]), New: string(now[name]), At: timeOf(acts, act),
		})
	}
	if r.Judge(); r.State == replay.Changed {
		r.At = timeOf(acts, said)
		for i, d := range r.Report {
			if i == 0 || d.At < r.At {
				r.At = d.At
			}
		}
		if r.Parted != nil {
			r.At = min(r.At, r.Parted.At)
		}
	}
	return r
}

// findFork returns where the paths of a call and its replay part; nil if they do not, and for a call of a version that
// kept no steps.
func findFork(before, now []call.Message) *replay.Fork {
	was, is := listSpokenSteps(before), listSpokenSteps(now)
	same := 0
	for same < min(len(was), len(is)) && was[same].Step == is[same].Step {
		same++
	}
	if len(was) == 0 || same == len(was) && same == len(is) {
		return nil
	}
	f, at := &replay.Fork{}, before[len(before)-1].End
	if same < len(was) {
		f.Old, at = was[same].Step, was[same].Start
	}
	if same < len(is) {
		f.New = is[same].Step
	}
	f.At = roundTime(seconds(at))
	return f
}

// listSpokenSteps returns the platform's first line in each step, in order; a step that follows itself is one.
func listSpokenSteps(messages []call.Message) (first []call.Message) {
	for _, m := range messages {
		if m.Step != "" && (len(first) == 0 || first[len(first)-1].Step != m.Step) {
			first = append(first, m)
		}
	}
	return first
}

// valuesOf returns the properties of a report, each as compact JSON; nil for none.
func valuesOf(report json.RawMessage) (values map[string]json.RawMessage) {
	var compact bytes.Buffer
	if json.Compact(&compact, report) == nil {
		_ = json.Unmarshal(compact.Bytes(), &values) // a report is an object
	}
	return values
}

// countTurns counts the turns of the person.
func countTurns(messages []call.Message) (n int) {
	for _, m := range messages {
		if m.Role == call.User && m.Content != "" {
			n++
		}
	}
	return n
}

// firstOtherWords returns the act at which other words were recognized than in the call; the last one for the same
// words.
func firstOtherWords(messages []call.Message, heard []rehearsal.HeardTurn) int {
	var said []string
	for _, m := range messages {
		if m.Role == call.User && m.Content != "" {
			said = append(said, m.Content)
		}
	}
	last := 0
	for i, h := range heard {
		if last = h.Act; i >= len(said) || said[i] != h.Text {
			return h.Act
		}
	}
	return last
}

// timeOf returns when an act begins in the recording, in seconds; see [roundTime].
func timeOf(acts []personAct, act int) float64 {
	if len(acts) == 0 {
		return 0
	}
	return roundTime(acts[min(max(act, 0), len(acts)-1)].at)
}

// roundTime returns a time in the recording a little before another one, to be listened to.
func roundTime(at time.Duration) float64 {
	return max(0, at-time.Second).Round(10 * time.Millisecond).Seconds()
}
