package service

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"munadi/engine/arabic"
	"munadi/store"
	"munadi/store/call"
)

// MaxSearch is the longest text that transcripts are searched for, in characters.
const MaxSearch = 100

// maxExamined is the largest number of transcripts that are read for a page of a search: about 40 ms for calls of 12
// turns.
const maxExamined = 500

// SearchedCalls is a page of the calls in whose transcript the words occur.
type SearchedCalls struct {
	store.ListPage[call.Call]           // with their messages
	Examined                  int       // calls that were examined for this page
	Last                      call.Call // the last of them; the zero one without any
}

// SearchCalls returns a page of the calls of a filter whose transcript contains the words, by either side, as
// recognized or as corrected by staff; spelling variants of Arabic match. A page ends after [maxExamined] calls, with
// a cursor to continue. Only answered calls have a transcript.
func (u *UseCases) SearchCalls(
	ctx context.Context, orgID string, f store.CallFilter, words string,
) (found SearchedCalls, err error) {
	if !IsSearchable(words) {
		found.Items = []call.Call{}
		return found, nil
	}
	wanted := arabic.FoldSpelling(words)
	if len(f.Statuses) == 0 {
		f.Statuses = answeredStatuses()
	}
	found.ListPage, err = u.Store.SearchCalls(ctx, orgID, f, wanted, func(c call.Call) (bool, bool) {
		found.Examined, found.Last = found.Examined+1, c
		return transcriptContains(c, wanted), found.Examined < maxExamined && ctx.Err() == nil
	})
	return found, err
}

// IsSearchable reports whether transcripts can be searched for a text: it contains a letter or a digit, and has at most
// [MaxSearch] characters.
func IsSearchable(words string) bool {
	return utf8.RuneCountInString(words) <= MaxSearch && arabic.FoldSpelling(words) != ""
}

// answeredStatuses are the statuses of calls that may have a transcript.
func answeredStatuses() []call.CallStatus {
	return []call.CallStatus{
		call.InProgress, call.Completed, call.UserRejected, call.UserUnavailable, call.Automation, call.Failed,
	}
}

// transcriptContains reports whether a turn of a call contains the folded words.
func transcriptContains(c call.Call, wanted string) bool {
	hasWords := func(m call.Message) bool { return strings.Contains(arabic.FoldSpelling(m.Content), wanted) }
	return slices.ContainsFunc(c.Messages, hasWords) ||
		len(c.Corrections) > 0 && slices.ContainsFunc(c.CurrentMessages(), hasWords)
}

// FoundWord is a word of a turn; Hit marks those that were searched for.
type FoundWord struct {
	Text string
	Hit  bool
}

// FindTurn returns the first turn of a call that contains the words, with the matches marked; false without one.
func FindTurn(c call.Call, words string) (turn []FoundWord, by call.SpeakerRole, found bool) {
	for _, messages := range [][]call.Message{c.CurrentMessages(), c.Messages} {
		for _, m := range messages {
			if turn, found := markWords(m.Content, words); found {
				return turn, m.Role, true
			}
		}
	}
	return nil, "", false
}

// markWords marks the words of a text that were searched for; false where there are none.
func markWords(text, words string) (marked []FoundWord, found bool) {
	wanted := arabic.FoldSpelling(words)
	var folded strings.Builder
	var ends []int // of each word in folded
	for _, word := range strings.Fields(text) {
		marked = append(marked, FoundWord{Text: word})
		if plain := arabic.FoldSpelling(word); plain != "" {
			if folded.Len() > 0 {
				folded.WriteByte(' ')
			}
			folded.WriteString(plain)
		}
		ends = append(ends, folded.Len())
	}
	for from := 0; wanted != ""; {
		at := strings.Index(folded.String()[from:], wanted)
		if at < 0 {
			break
		}
		first, last := from+at, from+at+len(wanted)
		begin := 0
		for i, end := range ends {
			if begin < last && end > first && end > begin {
				marked[i].Hit, found = true, true
			}
			begin = end
		}
		from = last
	}
	return marked, found
}
