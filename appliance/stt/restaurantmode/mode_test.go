package restaurantmode_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/stt/restaurantmode"
	"munadi/engine"
	"munadi/store/restaurant"
)

// memoryStore keeps sessions of one organization as the real store does.
type memoryStore struct {
	sessions map[string]restaurant.RestaurantSession
	phrases  *restaurant.PhraseSet
	fail     error
}

func (m *memoryStore) TouchSession(_ context.Context, _, id string, now time.Time) (restaurant.RestaurantSession, error) {
	s := m.sessions[id].StateAt(now)
	if s.Mode == restaurant.Restaurant {
		s.TouchedAt = now
		m.sessions[id] = s
	}
	return s, m.fail
}

func (m *memoryStore) SetSession(_ context.Context, _, id string, to restaurant.SessionMode, now time.Time) error {
	m.sessions[id] = restaurant.RestaurantSession{ID: id, Mode: to, TouchedAt: now}
	return m.fail
}

func (m *memoryStore) FindPhrases(context.Context, string) (*restaurant.PhraseSet, error) {
	return m.phrases, m.fail
}

// sessionStep is one request of a session: when, what was wished, what was heard; and the mode it must be decoded in.
type sessionStep struct {
	after time.Duration
	wish  restaurant.SessionMode
	heard string
	want  restaurant.SessionMode
}

func TestMachine(t *testing.T) {
	t.Parallel()
	const on, off = restaurant.Restaurant, restaurant.Default
	own := &restaurant.PhraseSet{Enter: []string{"يا نادل", "مائدة خمسة"}, Exit: []string{}}
	cases := []struct {
		name    string
		id      string
		phrases *restaurant.PhraseSet
		steps   []sessionStep
	}{
		{"nothing happens", "s", nil, []sessionStep{{0, "", "مرحبا", off}, {0, "", "", off}}},
		{"phrase counts from the next on", "s", nil, []sessionStep{{0, "", "شغل وضع المطعم الآن", off}, {0, "", "x", on}, {0, "", "", on}}},
		{"spelling makes no difference", "s", nil, []sessionStep{{0, "", "وَضْعُ المَطعم!", off}, {0, "", "انهاء، وضع المطعم.", on}, {0, "", "", off}}},
		{"exit holds the entry phrase", "s", nil, []sessionStep{{0, on, "إنهاء وضع المطعم", on}, {0, "", "", off}}},
		{"the last one counts", "s", nil, []sessionStep{{0, "", "وضع المطعم ثم إنهاء وضع المطعم ثم وضع المطعم", off}, {0, "", "", on}}},
		{"whole words only", "s", nil, []sessionStep{{0, "", "بوضع المطعمين", off}, {0, "", "", off}}},
		{"wish counts at once", "s", nil, []sessionStep{{0, on, "", on}, {0, "", "", on}, {0, off, "", off}, {0, "", "", off}}},
		{"wish and phrase at odds", "s", nil, []sessionStep{{0, off, "وضع المطعم", off}, {0, "", "", on}}},
		{"idle", "s", nil, []sessionStep{{0, on, "", on}, {29 * time.Minute, "", "", on}, {29 * time.Minute, "", "", on}, {30 * time.Minute, "", "", off}}},
		{"no session, one request", "", nil, []sessionStep{{0, on, "وضع المطعم", on}, {0, "", "", off}}},
		{"own phrases, empty exit list", "s", own, []sessionStep{{0, "", "وضع المطعم", off}, {0, "", "مائده خمسه", off}, {0, "", "إنهاء وضع المطعم", on}, {0, "", "", on}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
			m := &restaurantmode.ModeMachine{Store: &memoryStore{sessions: map[string]restaurant.RestaurantSession{}, phrases: c.phrases}, Now: func() time.Time { return now }}
			for i, s := range c.steps {
				now = now.Add(s.after)
				turn, err := m.BeginTurn(t.Context(), "org", c.id, s.wish)
				if err != nil {
					t.Fatal(err)
				}
				if turn.Mode != s.want {
					t.Errorf("step %d was decoded in %s, want %s", i, turn.Mode, s.want)
				}
				if (turn.BiasPhrases() != nil) != (s.want == on) {
					t.Errorf("step %d: %d phrases in mode %s", i, len(turn.BiasPhrases()), turn.Mode)
				}
				if err := turn.EndTurn(t.Context(), s.heard); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestCues: a session's decoder expects what switches it, by the organization's own list where it has one.
func TestCues(t *testing.T) {
	t.Parallel()
	own := &restaurant.PhraseSet{Enter: []string{"يا نادل"}}
	for _, c := range []struct {
		id      string
		phrases *restaurant.PhraseSet
		want    []string
	}{
		{"", nil, nil},
		{"s", nil, []string{"وضع المطعم", "إنهاء وضع المطعم"}},
		{"s", own, []string{"يا نادل", "إنهاء وضع المطعم"}},
	} {
		m := &restaurantmode.ModeMachine{Store: &memoryStore{sessions: map[string]restaurant.RestaurantSession{}, phrases: c.phrases}, Now: time.Now}
		turn, err := m.BeginTurn(t.Context(), "org", c.id, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := turn.SwitchPhrases(); !slices.Equal(got, c.want) {
			t.Errorf("session %q: cues %q, want %q", c.id, got, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	m := &restaurantmode.ModeMachine{Store: &memoryStore{sessions: map[string]restaurant.RestaurantSession{}}, Now: time.Now}
	segment := engine.Segment{Text: "أريد خمسة وعشرين برجر", Tokens: []int{1, 2, 3, 4, 5, 6}, Words: []engine.Word{
		{Text: "أريد", Start: 0, End: 1, Confidence: 1, TokenCount: 1},
		{Text: "خمسة", Start: 1, End: 2, Confidence: .9, TokenCount: 1},
		{Text: "وعشرين", Start: 2, End: 3, Confidence: .5, TokenCount: 2},
		{Text: "برجر", Start: 3, End: 4, Confidence: .8, TokenCount: 2},
	}}
	plain, err := m.ResumeTurn(t.Context(), "org", "", restaurant.Default)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(segment, plain.FormatSegment(segment)); diff != "" {
		t.Errorf("the default mode changes a segment: %s", diff)
	}
	turn, err := m.ResumeTurn(t.Context(), "org", "", restaurant.Restaurant)
	if err != nil {
		t.Fatal(err)
	}
	want := engine.Segment{Text: "أريد 25 برجر", Tokens: []int{1, 5, 6}, Words: []engine.Word{
		{Text: "أريد", Start: 0, End: 1, Confidence: 1, TokenCount: 1},
		{Text: "25", Start: 1, End: 3, Confidence: .5},
		{Text: "برجر", Start: 3, End: 4, Confidence: .8, TokenCount: 2},
	}}
	if diff := cmp.Diff(want, turn.FormatSegment(segment)); diff != "" {
		t.Errorf("-want +got %s", diff)
	}
	segment.Words = segment.Words[:2] // an engine that aligned fewer words keeps them as they are
	if got := turn.FormatSegment(segment); got.Text != want.Text || len(got.Words) != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestBuiltIn(t *testing.T) {
	t.Parallel()
	p := restaurantmode.BuiltIn()
	if len(p.Bias) < 100 || slices.Contains(p.Bias, "") || !slices.Contains(p.Bias, "شاورما دجاج") {
		t.Errorf("%d phrases: %q", len(p.Bias), p.Bias)
	}
	seen := map[string]bool{}
	for _, s := range p.Bias {
		if seen[s] {
			t.Errorf("%s is listed twice", s)
		}
		seen[s] = true
	}
}

func TestStoreFailureIsReturned(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk")
	m := &restaurantmode.ModeMachine{Store: &memoryStore{sessions: map[string]restaurant.RestaurantSession{}, fail: broken}, Now: time.Now}
	if _, err := m.BeginTurn(t.Context(), "org", "s", restaurant.Restaurant); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
