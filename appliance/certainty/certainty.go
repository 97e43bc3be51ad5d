package certainty

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
)

const (
	maxCalls   = 5000                 // newest calls of a scenario that are read
	maxAge     = 180 * 24 * time.Hour // of those calls
	keepFor    = 10 * time.Minute     // how long a measurement serves calls
	maxKept    = 1000                 // scenarios
	readBudget = time.Second          // for the measurement before a call's conversation
	pageSize   = 200
)

// CallReader reads calls; every store is one.
type CallReader interface {
	CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error)
}

// Meter measures how certain the answers to a scenario's questions are, from the organization's calls. It is safe for
// concurrent use.
type Meter struct {
	Calls CallReader
	Model func() string // names the speech model that serves
	// Usual returns the probabilities of a value from which it is taken without a bound, and below which it counts as not
	// understood.
	Usual func(t scenario.SlotType) (accept, least float64)
	Now   func() time.Time
	Log   *slog.Logger

	mu   sync.Mutex
	kept map[meterKey]measurement
}

type meterKey struct{ org, scenario string }

type measurement struct {
	at    time.Time
	model string
	asked []Question
}

// HasBounds reports whether a scenario has a question with a bound.
func HasBounds(s scenario.Scenario) bool { return len(boundedSteps(s)) > 0 }

// FindBounds returns the bounds by which a call of the scenario judges answers, by slot; none if no question has one.
// They are at most ten minutes old. Where they can't be measured, every answer is read back.
func (m *Meter) FindBounds(ctx context.Context, orgID string, s scenario.Scenario) map[string]AcceptBound {
	if !HasBounds(s) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readBudget)
	defer cancel()
	model := m.Model()
	asked, err := m.findKept(ctx, orgID, s, model)
	if err != nil {
		m.Log.Warn("the certainty of answers can't be measured: all are read back", "scenario", s.ID, "err", err)
		asked = nil
		for _, q := range m.newTallies(s, model, time.UTC) {
			asked = append(asked, q.Question)
		}
	}
	bounds := map[string]AcceptBound{}
	for _, q := range asked {
		usual, _ := m.Usual(q.Slot.Type)
		bounds[q.Slot.Name] = q.acceptBound(model, usual)
	}
	return bounds
}

// findKept returns the last measurement of a scenario, or a new one.
func (m *Meter) findKept(ctx context.Context, orgID string, s scenario.Scenario, model string) ([]Question, error) {
	key, now := meterKey{orgID, s.ID}, m.Now()
	m.mu.Lock()
	last, found := m.kept[key]
	m.mu.Unlock()
	if found && last.model == model && now.Sub(last.at) < keepFor && isSameAsked(last.asked, s) {
		return last.asked, nil
	}
	asked, err := m.MeasureScenario(ctx, orgID, s, time.UTC)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil || len(m.kept) >= maxKept {
		m.kept = map[meterKey]measurement{}
	}
	m.kept[key] = measurement{now, model, asked}
	return asked, nil
}

// isSameAsked reports whether the measured questions are those of the scenario.
func isSameAsked(asked []Question, s scenario.Scenario) bool {
	i := 0
	for _, step := range boundedSteps(s) {
		if i >= len(asked) || asked[i].MaxWrong != step.MaxWrong || BasisOf(asked[i].Slot, "") != BasisOf(*step.Slot, "") {
			return false
		}
		i++
	}
	return i == len(asked)
}

// MeasureScenario measures the questions of a scenario that have a bound, in the order of its steps, from its newest
// completed calls; weeks begin in the zone.
func (m *Meter) MeasureScenario(
	ctx context.Context, orgID string, s scenario.Scenario, zone *time.Location,
) ([]Question, error) {
	tallies := m.newTallies(s, m.Model(), zone)
	filter := store.CallFilter{
		ScenarioID: s.ID, Statuses: []call.CallStatus{call.Completed}, CreatedFrom: m.Now().Add(-maxAge), Limit: pageSize,
	}
	for read := 0; len(tallies) > 0 && read < maxCalls; read += pageSize {
		page, err := m.Calls.CallsPage(ctx, orgID, filter)
		if err != nil {
			return nil, err
		}
		for _, c := range page.Items {
			for _, q := range tallies {
				q.countCall(c)
			}
		}
		if filter.Cursor = page.Next; page.Next == "" {
			break
		}
	}
	asked := make([]Question, 0, len(tallies))
	for _, q := range tallies {
		_, least := m.Usual(q.Slot.Type)
		asked = append(asked, q.fit(least))
	}
	return asked, nil
}

// newTallies returns an empty tally of each question with a bound.
func (m *Meter) newTallies(s scenario.Scenario, model string, zone *time.Location) (all []*questionTally) {
	properties := map[string]string{}
	for _, property := range s.ReportProperties() {
		if filled, ok := s.ReportSlot(property); ok {
			properties[filled.Name] = property
		}
	}
	for _, step := range boundedSteps(s) {
		all = append(all, &questionTally{
			Question: Question{Slot: *step.Slot, MaxWrong: step.MaxWrong}, basis: BasisOf(*step.Slot, model),
			property: properties[step.Slot.Name], zone: zone,
		})
	}
	return all
}

// boundedSteps returns the steps that ask with a bound; of several that ask for one slot, the first.
func boundedSteps(s scenario.Scenario) (steps []scenario.FlowStep) {
	seen := map[string]bool{}
	for _, step := range s.Steps {
		if step.MaxWrong > 0 && step.Slot != nil && !seen[step.Slot.Name] {
			seen[step.Slot.Name] = true
			steps = append(steps, step)
		}
	}
	return steps
}
