package store

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/campaign"
)

// CampaignAction is a user's action on a campaign.
type CampaignAction string

// The actions. Each is refused with CodeConflict where the table of package campaign has no transition; pausing a
// paused campaign, resuming a running one and cancelling a cancelled one are no-ops.
const (
	PauseCampaign  CampaignAction = "pause"
	ResumeCampaign CampaignAction = "resume"
	CancelCampaign CampaignAction = "cancel" // its scheduled calls are cancelled, running ones end by themselves
	CloseCampaign  CampaignAction = "close"  // its end time has passed: like cancel, but its status is then finished
)

// WaitingCalls are the scheduled calls of an organization that are due before a time, counted at one moment.
type WaitingCalls struct {
	Single    int               // outside campaigns
	Campaigns []WaitingCampaign // newest first
}

// CountAll counts all of them.
func (w WaitingCalls) CountAll() int {
	n := w.Single
	for _, c := range w.Campaigns {
		n += c.Waiting
	}
	return n
}

// CountPaused counts those that wait for their campaigns to be resumed.
func (w WaitingCalls) CountPaused() (n int) {
	for _, c := range w.Campaigns {
		if c.Status == campaign.Paused {
			n += c.Waiting
		}
	}
	return n
}

// WaitingCampaign is a campaign with scheduled calls that are due before a time.
type WaitingCampaign struct {
	campaign.Campaign
	Waiting int // these calls
}

// CampaignStore stores the campaigns. Counts and answers change in the transaction of the call's change.
type CampaignStore interface {
	// CreateCampaign adds a campaign and books its calls. No call is dialled before all are booked; a creation that fails
	// or is interrupted by a crash ends as a cancelled campaign. once is nil, or the receipt of its idempotency key: it is
	// kept with the campaign's id as CallID, and removed again if the creation ends as a cancelled campaign. CodeConflict
	// for an id in use, and for a key that was used within [KeepReceipts]; CodeInvalid for an invalid call.
	CreateCampaign(
		ctx context.Context, c campaign.Campaign, calls []call.Call, actor string, once *IdempotencyReceipt,
	) (campaign.Campaign, error)
	// FindCampaign returns a campaign with its counts and skipped rows. CodeNotFound without one in the organization.
	FindCampaign(ctx context.Context, orgID, id string) (campaign.Campaign, error)
	// CampaignsPage lists campaigns, newest first, with their counts and without their skipped rows.
	CampaignsPage(ctx context.Context, orgID string, limit int, cursor string) (ListPage[campaign.Campaign], error)
	// ChangeCampaign applies an action. Once it returns, no call of a campaign that is not running is released.
	ChangeCampaign(
		ctx context.Context, orgID, id string, action CampaignAction, actor string, now time.Time,
	) (campaign.Campaign, error)
	// RetryCampaign books calls again, by the id of the previous call; calls that already have a next attempt are skipped.
	// A finished campaign runs again. CodeConflict for a cancelled one.
	RetryCampaign(
		ctx context.Context, orgID, id string, again map[string]call.Call, actor string, now time.Time,
	) (campaign.Campaign, error)
	// DueCampaignCalls returns the due calls of running campaigns that have started, like DueCallsOf for organizations.
	// room is called for every such campaign with a scheduled call, due or not, even after its end time.
	DueCampaignCalls(
		ctx context.Context, room func(c campaign.Campaign) int, now time.Time, limit int,
	) ([]call.Call, time.Time, error)
	// WaitingCalls counts the scheduled calls of an organization that are due before a time, those of campaigns with the
	// campaign, without its counts and skipped rows.
	WaitingCalls(ctx context.Context, orgID string, before time.Time) (WaitingCalls, error)
	// FindImportMemory returns an organization's remembered region and column mappings for contact files; zero if it
	// never imported one.
	FindImportMemory(ctx context.Context, orgID string) (campaign.ImportMemory, error)
	// ChangeImportMemory is a read-modify-write of them in one transaction; change may be called again. It only
	// pre-fills forms, so it writes no audit entry. CodeNotFound without the organization.
	ChangeImportMemory(ctx context.Context, orgID string, change func(*campaign.ImportMemory)) error
}
