package storetest

import (
	"context"
	"math"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/restaurant"
)

// ReplaceRules replaces an organization's calling rules.
func ReplaceRules(
	ctx context.Context, s store.CallRulesStore, orgID string, r callrules.CallRules, actor string, now time.Time,
) error {
	return s.ChangeRules(ctx, orgID, actor, now, func(kept *callrules.CallRules) error {
		*kept = r
		return nil
	})
}

// ReplaceWebhook replaces an organization's webhook setting.
func ReplaceWebhook(
	ctx context.Context, s store.OutboxStore, orgID string, w delivery.WebhookSetting, actor string, now time.Time,
) error {
	_, _, err := s.ChangeWebhook(ctx, orgID, actor, now, func(kept *delivery.WebhookSetting) error {
		*kept = w
		return nil
	})
	return err
}

// ReplacePhrases replaces an organization's phrases; a set without lists restores the built-in ones.
func ReplacePhrases(
	ctx context.Context, s store.Store, orgID string, p restaurant.PhraseSet, actor string, now time.Time,
) error {
	return s.ChangePhrases(ctx, orgID, actor, now, func(kept *restaurant.PhraseSet) error {
		*kept = p
		return nil
	})
}

// FindDueCalls returns the due calls of all organizations without a limit for any of them, at most limit in all, and
// the next dial time in the future.
func FindDueCalls(ctx context.Context, s store.CallStore, now time.Time, limit int) ([]call.Call, time.Time, error) {
	return s.DueCallsOf(ctx, func(string) int { return math.MaxInt }, now, limit)
}
