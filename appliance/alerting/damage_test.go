package alerting_test

import (
	"testing"
	"time"

	"munadi/appliance/alerting"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/badger/badgertest"
	"munadi/store/delivery"
	"munadi/store/storetest"
)

// TestDamagedSettings: alerts of the machine are raised although one setting of the organization is damaged.
func TestDamagedSettings(t *testing.T) {
	t.Parallel()
	whole := newWorld(t)
	whole.setKillSwitch(account.Default, true)
	hook := delivery.WebhookSetting{URL: "http://shop.test/hook", Enabled: true, Alerts: true, UpdatedAt: whole.now}
	if err := storetest.ReplaceWebhook(t.Context(), whole.store, account.Default, hook, "test", whole.now); err != nil {
		t.Fatal(err)
	}
	whole.startMonitor("").CheckAll(t.Context())
	dump := badgertest.DumpStore(t, whole.store)
	keys := dump.SampleKeys()
	for _, kind := range []string{"rules", "webhook", "alerts"} {
		w := newWorld(t)
		w.store.Store, w.now = dump.OpenDamaged(t, keys[kind]), whole.now
		w.machine = []alerting.Condition{{Kind: alert.DiskFull, State: alerting.Holds}}
		w.advanceTime(w.startMonitor(""), 2*time.Minute)
		if board := w.listAlerts(account.Default); board.FindOpen(alert.DiskFull, "", "") == nil {
			t.Errorf("with damaged %s no alert is raised", kind)
		}
	}
}
