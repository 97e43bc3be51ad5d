package badger

import (
	"testing"
	"time"

	"munadi/store/live"
	"munadi/store/org"
)

// TestDeleteALongSession: a session of days, with more words than one transaction takes, is deleted whole.
func TestDeleteALongSession(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), Options{})
	ctx, now := t.Context(), time.Now().UTC()
	if err := s.CreateOrganization(ctx, org.Organization{ID: "bakery", Name: "Bakery"}); err != nil {
		t.Fatal(err)
	}
	if err := s.BeginLive(ctx, live.Session{ID: "0001", OrgID: "bakery", StartedAt: now}); err != nil {
		t.Fatal(err)
	}
	words := s.db.NewWriteBatch()
	for n := range s.db.MaxBatchCount() + 10 {
		if err := words.Set(key(kindLiveWords, "bakery", "0001", rank(uint64(n))), []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	if err := words.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteLive(ctx, "bakery", "0001", "test", now); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, s, string(prefix(kindLiveWords, "bakery")), 0)
	wantKeys(t, s, string(prefix(kindLive, "bakery")), 0)
}
