package admin_test

import (
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/store/account"
	"munadi/store/driver"
	"munadi/store/memory"
	"munadi/store/records"
)

// TestVerifyTrailsMissesOrganizations checks that an organization that is no longer in the database is a fault.
func TestVerifyTrailsMissesOrganizations(t *testing.T) {
	t.Parallel()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	for _, id := range []string{"acme", "bakery"} {
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: id, CreatedAt: time.Now()}, "test"); err != nil {
			t.Fatal(err)
		}
	}
	all, err := admin.VerifyTrails(t.Context(), s)
	if err != nil || len(all) != 2 || all[0].Fault != "" || all[1].Fault != "" {
		t.Errorf("nothing changed: %+v, %v", all, err)
	}
	err = s.Update(t.Context(), func(tx driver.Tx) error {
		for _, table := range records.ListTables() {
			if table.Kind == "org" {
				return tx.Delete(table, driver.Row{Key: []string{"bakery"}})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err = admin.VerifyTrails(t.Context(), s)
	if err != nil || len(all) != 2 || all[1].OrgID != "bakery" || all[1].Fault == "" {
		t.Errorf("one removed: %+v, %v", all, err)
	}
}
