package api

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/org"
)

// Store is what this door writes and reads; store.Store has it.
type Store interface {
	Organization(ctx context.Context, id string) (org.Organization, error)
	Calls
	store.Scenarios
	store.Dialling
	Outbox
}

// Calls is the part of [store.Calls] that people have a hand in.
type Calls interface {
	Book(ctx context.Context, c call.Call, actor string, once *store.Receipt) (store.Receipt, error)
	Receipt(ctx context.Context, orgID, key string, now time.Time) (*store.Receipt, error)
	Call(ctx context.Context, orgID, id string) (call.Call, error)
	CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.Page[call.Call], error)
	RescheduleCall(
		ctx context.Context, orgID, id string, at time.Time, how call.Booking, actor string, now time.Time,
	) (call.Call, error)
	CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)
	HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error)
	ErasePerson(ctx context.Context, orgID, number, actor string, now time.Time) (store.Erased, error)
}

// Outbox is the part of [store.Outbox] that people have a hand in.
type Outbox interface {
	Webhook(ctx context.Context, orgID string) (delivery.Webhook, error)
	ChangeWebhook(
		ctx context.Context, orgID, actor string, now time.Time, change func(delivery.Webhook) delivery.Webhook,
	) (before, after delivery.Webhook, err error)
	AddDelivery(ctx context.Context, d delivery.Delivery) error
	Redeliver(ctx context.Context, orgID, id, actor string, now time.Time) (delivery.Delivery, error)
	DeliveryOf(ctx context.Context, orgID, callID string) (*delivery.Delivery, error)
	Deliveries(
		ctx context.Context, orgID string, state delivery.State, limit int, cursor string,
	) (store.Page[delivery.Delivery], error)
}
