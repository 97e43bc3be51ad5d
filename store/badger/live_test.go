package badger

import (
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/live"
)

// TestDeleteALongSession: a session with more segments than fit in one transaction is deleted completely.
func TestDeleteALongSession(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s := openTest(t, t.TempDir(), OpenOptions{})
	ctx, now := t.Context(), time.Now().UTC()
	if err := s.CreateOrganization(ctx, account.Organization{ID: "bakery", Name: "Bakery"}, "test"); err != nil {
		t.Fatal(err)
	}
	if err := s.BeginLive(ctx, live.LiveSession{ID: "0001", OrgID: "bakery", StartedAt: now}); err != nil {
		t.Fatal(err)
	}
	words := s.db.NewWriteBatch()
	for n := range s.db.MaxBatchCount() + 10 {
		if err := words.Set(joinKey("live-words", "bakery", "0001", encodeRank(uint64(n))), []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	if err := words.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteLive(ctx, "bakery", "0001", "test", now); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, s, string(joinPrefix("live-words", "bakery")), 0)
	wantKeys(t, s, string(joinPrefix("live", "bakery")), 0)
}
