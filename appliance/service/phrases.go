package service

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"munadi/store/restaurant"
	"munadi/store/strictjson"
)

// Limits of the restaurant mode's phrases.
const (
	MaxPhrases = 2000 // phrases in a list
	MaxPhrase  = 100  // characters of a phrase
)

// Reasons that distinguish violations of phrases.
const (
	PhraseTooLong strictjson.Reason = "phrase_too_long"
	PhraseNoWord  strictjson.Reason = "phrase_no_word" // no letter, so that no transcript can contain it
	PhraseShared  strictjson.Reason = "phrase_shared"  // both enters and leaves the mode
	PhrasesFull   strictjson.Reason = "phrases_full"   // too many phrases in the list
)

// ReplacePhrases replaces the organization's own phrases of the restaurant mode. A nil list means the built-in one;
// without any own list the organization uses the built-in phrases again. Violations are at a list, "bias", or at a
// phrase, "exit.3", at most one for a list.
func (u *UseCases) ReplacePhrases(
	ctx context.Context, who Caller, own, builtIn restaurant.PhraseSet, seen Precondition[restaurant.PhraseSet],
) error {
	if err := violationError(checkPhrases(own, builtIn)...); err != nil {
		return err
	}
	now := u.now()
	return u.Store.ChangePhrases(ctx, who.OrgID, who.Actor, now, func(phrases *restaurant.PhraseSet) error {
		if err := seen.check(*phrases); err != nil {
			return err
		}
		own.Dismissed = phrases.Dismissed
		*phrases = own
		return nil
	})
}

// checkPhrases checks each list, then that no phrase both enters and leaves the mode; for that an invalid list of
// entering phrases counts as built in.
func checkPhrases(own, builtIn restaurant.PhraseSet) (found FieldViolations) {
	checkPhraseList("bias", own.Bias, &found)
	if !checkPhraseList("enter", own.Enter, &found) {
		own.Enter = nil
	}
	if !checkPhraseList("exit", own.Exit, &found) {
		return found
	}
	used := own.FillLists(builtIn)
	for i, phrase := range used.Exit {
		if slices.Contains(used.Enter, phrase) {
			found.AddReason(PhraseShared, strictjson.JoinPath("exit", i), "also enters the mode")
			break
		}
	}
	return found
}

// checkPhraseList adds the first violation of a list; false if there is one.
func checkPhraseList(name string, list []string, found *FieldViolations) bool {
	for i, phrase := range list {
		switch at := strictjson.JoinPath(name, i); {
		case i == MaxPhrases:
			found.AddReason(PhrasesFull, name, "must have at most %d phrases", MaxPhrases)
		case utf8.RuneCountInString(phrase) > MaxPhrase:
			found.AddReason(PhraseTooLong, at, "must have at most %d characters", MaxPhrase)
		case !strings.ContainsFunc(phrase, unicode.IsLetter):
			found.AddReason(PhraseNoWord, at, "must have a letter")
		default:
			continue
		}
		return false
	}
	return true
}
