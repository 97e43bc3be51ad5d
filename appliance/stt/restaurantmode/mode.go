// Package restaurantmode decides how each transcription is decoded: in the default mode or in restaurant mode, where the
// decoder leans towards a restaurant's phrases and quantities come out as digits.
//
// It knows sessions, phrases and words; it knows neither HTTP nor audio. A door calls Begin before decoding, gives
// every segment to Format, and calls End with what was heard. What is remembered lies in the store, so a restart
// changes nothing.
//
//	          entry phrase heard, or asked for restaurant
//	default ─────────────────────────────────────────────→ restaurant
//	        ←─────────────────────────────────────────────
//	          exit phrase heard, asked for default, or 30 minutes idle
//
// Choices where the contract is silent:
//
//   - A wish (x-session-mode) counts from its own request on. A phrase counts from the next request on, as the one it
//     was heard in is decoded already; that answer reports the mode it was decoded in.
//   - Of several phrases in one transcript the last counts; of overlapping ones the longest, so that "إنهاء وضع المطعم"
//     is an exit although "وضع المطعم" is in it. Spelling variants, vowels and punctuation make no difference.
//   - A wish without a session counts for that request alone.
//   - In a session the decoder expects the phrases that switch, in either mode.
//   - The time that a session idles runs from the end of its latest request.
package restaurantmode

import (
	"context"
	"slices"
	"time"

	"munadi/store/restaurant"
)

// ModeStore is what the machine remembers; store.Store has it.
type ModeStore interface {
	TouchSession(ctx context.Context, orgID, id string, now time.Time) (restaurant.RestaurantSession, error)
	SetSession(ctx context.Context, orgID, id string, mode restaurant.SessionMode, now time.Time) error
	FindPhrases(ctx context.Context, orgID string) (*restaurant.PhraseSet, error)
}

// ModeMachine begins turns. It is safe for concurrent use.
type ModeMachine struct {
	Store ModeStore
	Now   func() time.Time
}

// ModeTurn is one transcription of a session.
type ModeTurn struct {
	Mode restaurant.SessionMode // what this transcription is decoded in

	machine  *ModeMachine
	org, id  string // id is empty without a session
	bias     []string
	cues     []string // the phrases that switch, as they are written
	switches []switchPhrase
}

// BeginTurn opens a turn of a session (id may be empty) with the client's wish (empty for none).
func (m *ModeMachine) BeginTurn(ctx context.Context, org, id string, wish restaurant.SessionMode) (*ModeTurn, error) {
	now := m.Now()
	t := &ModeTurn{Mode: restaurant.Default, machine: m, org: org, id: id}
	if id != "" {
		s, err := m.Store.TouchSession(ctx, org, id, now)
		if err != nil {
			return nil, err
		}
		t.Mode = s.StateAt(now).Mode
	}
	if wish != "" && wish != t.Mode {
		t.Mode = wish
		if err := t.storeMode(ctx, wish); err != nil {
			return nil, err
		}
	}
	return t, t.loadPhrases(ctx)
}

// ResumeTurn opens a turn whose mode was decided before, for a job that was accepted earlier.
func (m *ModeMachine) ResumeTurn(ctx context.Context, org, id string, decided restaurant.SessionMode) (*ModeTurn, error) {
	t := &ModeTurn{Mode: decided, machine: m, org: org, id: id}
	return t, t.loadPhrases(ctx)
}

// BiasPhrases are what the decoder leans towards in this turn: nil in the default mode.
func (t *ModeTurn) BiasPhrases() []string {
	if t.Mode != restaurant.Restaurant {
		return nil
	}
	return t.bias
}

// SwitchPhrases are the phrases that would switch the session. A decoder that expects them hears them in voices that its model
// knows badly; where it does not hear them nothing changes. nil without a session: nothing would come of them.
func (t *ModeTurn) SwitchPhrases() []string {
	if t.id == "" {
		return nil
	}
	return t.cues
}

// EndTurn closes the turn with the words that were heard, before numbers became digits.
func (t *ModeTurn) EndTurn(ctx context.Context, heard string) error {
	if t.id == "" {
		return nil
	}
	if next, ok := lastSwitch(heard, t.switches); ok {
		return t.storeMode(ctx, next)
	}
	_, err := t.machine.Store.TouchSession(ctx, t.org, t.id, t.machine.Now())
	return err
}

func (t *ModeTurn) storeMode(ctx context.Context, next restaurant.SessionMode) error {
	if t.id == "" {
		return nil
	}
	return t.machine.Store.SetSession(ctx, t.org, t.id, next, t.machine.Now())
}

// loadPhrases reads the organization's phrases; a list that it has not set is the built-in one.
func (t *ModeTurn) loadPhrases(ctx context.Context) error {
	p, err := t.machine.Store.FindPhrases(ctx, t.org)
	if err != nil {
		return err
	}
	builtIn := BuiltIn()
	if p == nil {
		p = &restaurant.PhraseSet{}
	}
	t.bias = firstNonEmpty(p.Bias, builtIn.Bias)
	enter, exit := firstNonEmpty(p.Enter, builtIn.Enter), firstNonEmpty(p.Exit, builtIn.Exit)
	t.cues = slices.Concat(enter, exit)
	t.switches = append(parseSwitchPhrases(enter, restaurant.Restaurant), parseSwitchPhrases(exit, restaurant.Default)...)
	return nil
}

func firstNonEmpty(own, builtIn []string) []string {
	if own == nil {
		return builtIn
	}
	return own
}
