package service_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/campaign"
)

// undoingStore undoes the interrupted creation of a campaign after its receipt was found.
type undoingStore struct {
	store.Store
	kept bool // the campaign was cancelled by somebody, and its receipt stays
	read int
}

func (s *undoingStore) FindReceipt(context.Context, string, string, time.Time) (*store.IdempotencyReceipt, error) {
	if s.read++; s.read > 1 && !s.kept {
		return nil, nil
	}
	return &store.IdempotencyReceipt{Key: "k", Body: []byte("hash"), CallID: "camp_1"}, nil
}

func (s *undoingStore) FindCampaign(_ context.Context, _, id string) (campaign.Campaign, error) {
	return campaign.Campaign{ID: id, Status: campaign.Cancelled}, nil
}

// TestRepeatOfAnUndoneCampaign checks that a repeated request is not answered with the campaign that a restart undoes
// between two reads, and still is with one that somebody cancelled.
func TestRepeatOfAnUndoneCampaign(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{true, false} {
		u := &service.UseCases{Store: &undoingStore{kept: kept}, Now: time.Now}
		once := &service.IdempotencyKey{Key: "k", Body: []byte("hash")}
		c, repeated, err := u.CreateCampaign(t.Context(), service.Caller{OrgID: "bakery"}, service.CampaignRequest{Once: once})
		var refused *service.ConflictError
		if !repeated || errors.As(err, &refused) == kept || kept && c.ID != "camp_1" {
			t.Errorf("receipt kept: %v; the answer is %+v, repeated: %v, %v", kept, c, repeated, err)
		}
	}
}
