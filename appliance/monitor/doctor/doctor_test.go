package doctor_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/monitor/doctor"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/delivery"
	"munadi/store/storetest"
)

// CheckOffline reports database, tables and each enabled receiver.
func TestCheckOffline(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"airline", "bakery", "silent"} {
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: id}, "test"); err != nil {
			t.Fatal(err)
		}
		hook := delivery.WebhookSetting{URL: "https://" + id + ".example", Enabled: id != "silent"}
		if err := storetest.ReplaceWebhook(t.Context(), s, id, hook, "test", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	err = s.ChangeDestinations(t.Context(), "bakery", func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		for url, enabled := range map[string]bool{"https://on.example": true, "https://silent.example": false} {
			b.Destinations = append(b.Destinations, delivery.NewDestination(url, delivery.AllEventTypes(), enabled, time.Now()))
		}
		return store.AuditEntry{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	probe := func(_ context.Context, url string) error {
		if strings.Contains(url, "airline") {
			return errors.New("refused")
		}
		return nil
	}
	var got []string
	for _, f := range doctor.CheckOffline(t.Context(), cfg, probe) {
		got = append(got, f.Name+" "+f.State+" "+f.Text)
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{
		"database ok", "tables ok", "webhook note the webhook of airline is not reachable: refused",
		"webhook ok the webhook of bakery is reachable", "destination ok the destination dest_",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "silent") || strings.Count(text, "destination ok") != 1 {
		t.Errorf("a disabled receiver was probed:\n%s", text)
	}
}

func TestCheckWorkers(t *testing.T) {
	t.Parallel()
	if f := doctor.CheckWorkers(nil); f.State != admin.StateOK {
		t.Errorf("%+v", f)
	}
	f := doctor.CheckWorkers(map[string]string{"jobs": "disk", "backups": "key"})
	if want := "backups failed and is restarted: key; jobs failed and is restarted: disk"; f.State != admin.StateFailed || f.Text != want {
		t.Errorf("%+v", f)
	}
}
