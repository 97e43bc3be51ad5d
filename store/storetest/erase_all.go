package storetest

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/bulk"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/storetest/fixture"
)

// erasedEverywhere: after an erasure no record holds the number in any notation, and other people's numbers remain.
func erasedEverywhere(t *testing.T, s store.Store) {
	ctx, now, other := t.Context(), startTime(), "+966500000002"
	addOrganizations(t, s, "bakery", account.Default)
	c := newCall("bakery", 0)
	c.NameVariable, c.Variables = "name", map[string]any{"name": "سارة العتيبي"}
	_, err := s.BookCall(ctx, c, asked, newReceipt("reminder of "+number, 0))
	wantCode(t, "BookCall", err, "")
	addMentions(t, s, other)
	got, err := s.ErasePerson(ctx, "bakery", number, asked, now)
	if wantCode(t, "ErasePerson", err, ""); got.Cancelled != 1 || got.Mentions != 10 {
		t.Errorf("erased %+v", got)
	}
	digits := number[1:]
	reversed := []byte(digits)
	slices.Reverse(reversed)
	for key, value := range readRecords(t, s) {
		for _, text := range []string{digits, "500000001", "٥٠٠٠٠٠٠٠١", "0 000 001", string(reversed), "العتيبي"} {
			if strings.Contains(key, text) || strings.Contains(value, text) {
				t.Errorf("%s still holds %s: %s", key, text, value)
			}
		}
	}
	page, err := s.CampaignsPage(ctx, "bakery", 1, "")
	wantCode(t, "CampaignsPage", err, "")
	made, err := s.FindCampaign(ctx, "bakery", page.Items[0].ID)
	wantCode(t, "FindCampaign", err, "")
	if rows := made.Skipped; len(rows) != 5 || rows[0].Reason != "invalid" || rows[4].PhoneNumber != other ||
		rows[0].Name != "" || rows[4].Name == "" {
		t.Errorf("the skipped rows are %+v", rows)
	}
	u, err := s.FindUser(ctx, "u1")
	if wantCode(t, "FindUser", err, ""); len(u.Views) != 2 || u.Views[0].Name != "other" {
		t.Errorf("the views are %+v", u.Views)
	}
	board, err := s.FindBulk(ctx, "bakery")
	if wantCode(t, "FindBulk", err, ""); board.Changes[0].State != bulk.Done || board.Changes[1].State != bulk.Waiting {
		t.Errorf("the bulk changes are %+v", board.Changes)
	}
	wantEntry(t, s, "0 calls emptied, 1 cancelled, 10 mentions in campaigns, views and bulk changes removed")
}

// addMentions adds records outside calls that hold [number], and such that hold another one.
func addMentions(t *testing.T, s store.Store, other string) {
	t.Helper()
	ctx, now := t.Context(), startTime()
	c, calls := newCampaign("bakery", 1, 1)
	calls[0].PhoneNumber, c.Skipped = other, nil
	for _, written := range []string{"0500000001", "٠٥٠٠٠٠٠٠٠١", "00966 (50) 0 000 001", number, other} {
		c.Skipped = append(c.Skipped, campaign.SkippedRow{
			FileRow: campaign.FileRow{Name: "ليلى"}, PhoneNumber: written, Reason: "invalid", Message: "not " + written,
		})
	}
	_, err := s.CreateCampaign(ctx, c, calls, asked, nil)
	wantCode(t, "CreateCampaign", err, "")
	for id, orgID := range map[string]string{"u1": "bakery", "governor": account.Default} {
		u := newUser(orgID, id, id, account.Owner)
		u.Views = []account.SavedView{
			{Name: "theirs", Query: "number=%2B966500000001"},
			{Name: "other", Query: "number=%2B966500000002"},
			{Name: "of a name", Query: "name=" + url.QueryEscape("العتيبي سار")},
			{Name: "of many", Query: "name=" + url.QueryEscape("سارة")},
		}
		wantCode(t, "CreateUser", s.CreateUser(ctx, u, asked), "")
	}
	_, err = s.ChangeBulk(ctx, "bakery", func(b *bulk.BulkBoard) error {
		for _, written := range []string{number, other} {
			b.AddChange(bulk.BulkChange{ID: written, Filter: []byte(`{"PhoneNumber":"` + written + `"}`), BeginsAt: now}, now)
			b.Changes[len(b.Changes)-1].ID = "change"
		}
		return nil
	})
	wantCode(t, "ChangeBulk", err, "")
	wantCode(t, "ChangeImportMemory", s.ChangeImportMemory(ctx, "bakery", func(m *campaign.ImportMemory) {
		m.AddMapping(campaign.ColumnMapping{Headers: []string{"سارة", number}, ScenarioID: "order"})
		m.AddMapping(campaign.ColumnMapping{Headers: []string{"name", "phone"}, ScenarioID: "order"})
	}), "")
}

// wantEntry fails unless the trail of bakery holds one erasure, with this note.
func wantEntry(t *testing.T, s store.Store, note string) {
	t.Helper()
	trail := slices.DeleteFunc(findTrail(t, s, "bakery"), func(c store.AuditEntry) bool { return c.Action != "person.erase" })
	for i := range trail {
		trail[i].At = startTime()
	}
	if diff := cmp.Diff(newEntry("person.erase", call.MaskNumber(number), note), trail); diff != "" {
		t.Errorf("the entries of the erasure (-want +got):\n%s", diff)
	}
}

// interruptErasure erases so many calls of a person that it takes several transactions, and stops after the first ones.
func interruptErasure(t *testing.T, s store.Store) {
	t.Helper()
	addOrganizations(t, s, "bakery")
	for i := range 500 {
		bookCalls(t, s, newCall("bakery", time.Duration(i)))
	}
	left := 2
	got, err := s.ErasePerson(fixture.EndingContext{Context: t.Context(), Left: &left}, "bakery", number, asked, startTime())
	if err == nil {
		t.Fatalf("it was not interrupted: %+v", got)
	}
	if left, err := s.CountCalls(t.Context(), "bakery", store.CallFilter{PhoneNumber: number}, 500); err != nil ||
		left == 0 || left == 500 {
		t.Fatalf("%d calls are left, want some: %v", left, err)
	}
	if trail := findTrail(t, s, "bakery"); trail[0].Action == "person.erase" {
		t.Errorf("an unfinished erasure is on the trail: %+v", trail[0])
	}
}

// erasureInterrupted: repeating an interrupted erasure completes it, and the one audit entry counts all its calls.
func erasureInterrupted(t *testing.T, s store.Store) {
	interruptErasure(t, s)
	got, err := s.ErasePerson(t.Context(), "bakery", number, asked, startTime().Add(time.Hour))
	if wantCode(t, "ErasePerson", err, ""); got.Cancelled != 500 {
		t.Errorf("erased %+v", got)
	}
	wantEntry(t, s, "0 calls emptied, 500 cancelled")
	names, err := s.ResumeErasures(t.Context(), startTime().Add(24*time.Hour))
	if err != nil || len(names) != 0 {
		t.Errorf("a completed erasure was resumed: %v, %v", names, err)
	}
	wantEntry(t, s, "0 calls emptied, 500 cancelled")
}

// erasureResumed: a worker completes an interrupted erasure, but not one that may still be running.
func erasureResumed(t *testing.T, s store.Store) {
	interruptErasure(t, s)
	for _, before := range []time.Time{startTime(), startTime().Add(time.Minute), startTime().Add(time.Hour)} {
		if _, err := s.ResumeErasures(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		left, err := s.CountCalls(t.Context(), "bakery", store.CallFilter{PhoneNumber: number}, 500)
		if err != nil || before.Equal(startTime()) == (left == 0) {
			t.Errorf("those before %v were resumed, and %d calls are left, %v", before, left, err)
		}
	}
	wantEntry(t, s, "0 calls emptied, 500 cancelled")
	for key := range readRecords(t, s) {
		if strings.HasPrefix(key, "erasure/") {
			t.Errorf("the record %s is left", key)
		}
	}
}
