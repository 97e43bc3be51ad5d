// Package restaurantmode decides the decoding mode of each transcription: default, or restaurant mode, in which
// decoding is biased towards a restaurant's phrases and quantities are written as digits.
//
// It handles sessions, phrases and words, not HTTP or audio. A handler calls BeginTurn before decoding, passes every
// segment to FormatSegment, and calls EndTurn with the transcript. All state is in the store and survives a restart.
//
//	          entry phrase heard, or restaurant requested
//	default ─────────────────────────────────────────────→ restaurant
//	        ←─────────────────────────────────────────────
//	          exit phrase heard, default requested, or 30 minutes idle
//
// Choices that the contract leaves open:
//
//   - A requested mode (x-session-mode) applies to its own request. A phrase applies from the next request on, since
//     its own is decoded already; that answer reports the mode it was decoded in.
//   - Of several phrases in one transcript the last one counts; of overlapping ones the longest, so that "إنهاء وضع
//     المطعم" is an exit although it contains "وضع المطعم". Spelling variants, vowels and punctuation make no
//     difference.
//   - A requested mode without a session applies to that request alone.
//   - In a session decoding is biased towards the switch phrases, in either mode.
//   - The idle time of a session starts at the end of its latest request.
package restaurantmode

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/store/restaurant"
)

// ModeStore is the part of the store for modes.
type ModeStore interface {
	TouchSession(ctx context.Context, orgID, id string, now time.Time) (restaurant.RestaurantSession, error)
	SetSession(ctx context.Context, orgID, id string, mode restaurant.SessionMode, now time.Time) error
	FindPhrases(ctx context.Context, orgID string) (*restaurant.PhraseSet, error)
}

// ModeMachine is the state machine of session modes. It is safe for concurrent use.
type ModeMachine struct {
	Store ModeStore
	Now   func() time.Time
}

// ModeTurn is one transcription of a session.
type ModeTurn struct {
	Mode restaurant.SessionMode // decoding mode of this transcription

	machine  *ModeMachine
	org, id  string // id is empty without a session
	bias     []string
	cues     []string // the switch phrases, as written
	switches []switchPhrase
}

// BeginTurn starts a turn of a session (id may be empty) with the requested mode (empty for none).
func (m *ModeMachine) BeginTurn(
	ctx context.Context, org, id string, requested restaurant.SessionMode,
) (*ModeTurn, error) {
	now := m.Now()
	t := &ModeTurn{Mode: restaurant.Default, machine: m, org: org, id: id}
	if id != "" {
		s, err := m.Store.TouchSession(ctx, org, id, now)
		if err != nil {
			return nil, err
		}
		t.Mode = s.StateAt(now).Mode
	}
	if requested != "" && requested != t.Mode {
		t.Mode = requested
		if err := t.storeMode(ctx, requested); err != nil {
			return nil, err
		}
	}
	return t, t.loadPhrases(ctx)
}

// ResumeTurn starts a turn whose mode was decided earlier, for a queued job.
func (m *ModeMachine) ResumeTurn(
	ctx context.Context, org, id string, decided restaurant.SessionMode,
) (*ModeTurn, error) {
	t := &ModeTurn{Mode: decided, machine: m, org: org, id: id}
	return t, t.loadPhrases(ctx)
}

// BiasPhrases returns the phrases for context biasing in this turn: nil in the default mode.
func (t *ModeTurn) BiasPhrases() []string {
	if t.Mode != restaurant.Restaurant {
		return nil
	}
	return t.bias
}

// SwitchPhrases returns the phrases that would switch the session's mode, to bias the decoder towards them. nil without
// a session, which has no mode to switch.
func (t *ModeTurn) SwitchPhrases() []string {
	if t.id == "" {
		return nil
	}
	return t.cues
}

// EndTurn ends the turn with the transcript, before numbers became digits.
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

// loadPhrases reads the organization's phrases; unset lists are the built-in ones.
func (t *ModeTurn) loadPhrases(ctx context.Context) error {
	p, err := t.machine.Store.FindPhrases(ctx, t.org)
	if err != nil {
		return err
	}
	used := BuiltIn()
	if p != nil {
		used = p.FillLists(used)
	}
	t.bias, t.cues = used.Bias, slices.Concat(used.Enter, used.Exit)
	t.switches = append(
		parseSwitchPhrases(used.Enter, restaurant.Restaurant), parseSwitchPhrases(used.Exit, restaurant.Default)...)
	return nil
}

// menu.txt is the built-in phrase list: one phrase a line, headings begin with '#'.
//
//go:embed menu.txt
var menu string

// BuiltIn returns the default phrases. The caller owns the lists.
func BuiltIn() restaurant.PhraseSet {
	return restaurant.PhraseSet{
		Bias: formatLines(menu), Enter: []string{"وضع المطعم"}, Exit: []string{"إنهاء وضع المطعم"},
	}
}

func formatLines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// FormatSegment applies inverse text normalization in restaurant mode: spoken numbers become digits, each one word.
func (t *ModeTurn) FormatSegment(s engine.Segment) engine.Segment {
	if t.Mode != restaurant.Restaurant {
		return s
	}
	return textform.ReplaceWords(s, arabic.NumbersToDigits)
}

// switchPhrase is one entry or exit phrase: its normalized words and the mode it leads to.
type switchPhrase struct {
	words []string
	to    restaurant.SessionMode
}

func parseSwitchPhrases(list []string, to restaurant.SessionMode) []switchPhrase {
	out := make([]switchPhrase, 0, len(list))
	for _, s := range list {
		if words := strings.Fields(arabic.FoldSpelling(s)); len(words) > 0 {
			out = append(out, switchPhrase{words, to})
		}
	}
	return out
}

// lastSwitch finds the last switch phrase in a transcript (whole words); of those that start at one word the longest,
// whose words belong to no other phrase.
func lastSwitch(heard string, list []switchPhrase) (to restaurant.SessionMode, found bool) {
	words := strings.Fields(arabic.FoldSpelling(heard))
	for i := 0; i < len(words); {
		best := longestMatch(words[i:], list)
		if best == nil {
			i++
			continue
		}
		to, found = best.to, true
		i += len(best.words)
	}
	return to, found
}

func longestMatch(words []string, list []switchPhrase) *switchPhrase {
	var best *switchPhrase
	for i, p := range list {
		fits := len(p.words) <= len(words) && slices.Equal(p.words, words[:len(p.words)])
		if fits && (best == nil || len(p.words) > len(best.words)) {
			best = &list[i]
		}
	}
	return best
}
