package api

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
)

// DoorStore is the part of store.Store that this package uses.
type DoorStore interface {
	FindOrganization(ctx context.Context, id string) (account.Organization, error)
	CallStore
	store.CampaignStore
	store.ScenarioStore
	store.CallRulesStore
	WebhookStore
}

// CallStore is the part of [store.CallStore] that API clients use.
type CallStore interface {
	BookCall(
		ctx context.Context,
		c call.Call,
		actor string,
		once *store.IdempotencyReceipt,
	) (store.IdempotencyReceipt, error)
	FindReceipt(ctx context.Context, orgID, key string, now time.Time) (*store.IdempotencyReceipt, error)
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error)
	RescheduleCall(
		ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
	) (call.Call, error)
	CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)
	HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)
	ErasePerson(ctx context.Context, orgID, number, actor string, now time.Time) (store.ErasureResult, error)
}

// WebhookStore is the part of [store.OutboxStore] that API clients use.
type WebhookStore interface {
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	ChangeWebhook(
		ctx context.Context, orgID, actor string, now time.Time, change func(delivery.WebhookSetting) delivery.WebhookSetting,
	) (before, after delivery.WebhookSetting, err error)
	AddDelivery(ctx context.Context, d delivery.Delivery, actor string) error
	RedeliverWebhook(ctx context.Context, orgID, id, actor string, now time.Time) (delivery.Delivery, error)
	DeliveryOf(ctx context.Context, orgID, callID string) (*delivery.Delivery, error)
	ListDeliveries(
		ctx context.Context, orgID string, state delivery.DeliveryState, limit int, cursor string,
	) (store.ListPage[delivery.Delivery], error)
}
