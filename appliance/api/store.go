package api

import (
	"context"

	"munadi/appliance/evidence"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/inbound"
)

// ReadStore is the part of store.Store from which this package reads; the use cases make changes.
type ReadStore interface {
	FindOrganization(ctx context.Context, id string) (account.Organization, error)
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	FindTrace(ctx context.Context, orgID, id string) (call.LineTrace, error)
	CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error)
	FindCampaign(ctx context.Context, orgID, id string) (campaign.Campaign, error)
	CampaignsPage(ctx context.Context, orgID string, limit int, cursor string) (store.ListPage[campaign.Campaign], error)
	FindInbound(ctx context.Context, orgID string) (inbound.Settings, error)
	ListSuppressions(
		ctx context.Context, orgID string, limit int, cursor string,
	) (store.ListPage[callrules.SuppressionEntry], error)
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	FindDestinations(ctx context.Context, orgID string) (delivery.DestinationBoard, error)
	ListEvents(
		ctx context.Context, orgID, destination string, state delivery.DeliveryState, limit int, cursor string,
	) (store.ListPage[delivery.Delivery], error)
	evidence.CallReader
	DeliveryOf(ctx context.Context, orgID, callID string) (*delivery.Delivery, error)
	ListDeliveries(
		ctx context.Context, orgID string, state delivery.DeliveryState, limit int, cursor string,
	) (store.ListPage[delivery.Delivery], error)
}
