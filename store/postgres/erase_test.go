package postgres_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/postgres/postgrestest"
	"munadi/store/storetest"
)

// TestErasureDespiteDamage: readable records are emptied, unreadable ones are counted. Both deliveries of a call that
// was ended twice lose their bodies.
func TestErasureDespiteDamage(t *testing.T) {
	t.Parallel()
	url := postgrestest.SharedServer(t).NewURL(t)
	s, ctx, now := openStore(t, url, "one"), t.Context(), time.Now()
	db, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close(ctx) }()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.CreateOrganization(ctx, account.Organization{ID: "bakery"}, "test"))
	must(s.CreateUser(ctx, account.User{ID: "u1", OrgID: "bakery", Name: "amal", Role: account.Owner, CreatedAt: now}, "test"))
	must(storetest.ReplaceWebhook(ctx, s, "bakery", delivery.WebhookSetting{URL: "http://shop.test", Enabled: true}, "test", now))
	var ids []string
	for range 3 {
		c := call.Call{
			ID: call.NewID(), OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order",
			CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: "x"},
		}
		_, err := s.BookCall(ctx, c, "test", nil)
		must(err)
		_, err = s.StopCall(ctx, "bakery", c.ID, call.NoVoice, now)
		must(err)
		d, err := s.DeliveryOf(ctx, "bakery", c.ID)
		must(err)
		_, err = s.RecordTry(ctx, "bakery", d.ID, delivery.DeliveryTry{At: now, Request: c.PhoneNumber, Error: "redirected to /+966500000001"}, now)
		must(err)
		ids = append(ids, c.ID)
	}
	for _, sql := range []string{
		"UPDATE calls SET record = '{' WHERE id = '" + ids[1] + "'", "UPDATE users SET record = '{'",
		"INSERT INTO deliveries SELECT org, id || 'again', call, kind, state, 0, lane, place, next_at, owner, " +
			"convert_to(replace(convert_from(record, 'UTF8'), id, id || 'again'), 'UTF8') FROM deliveries",
	} {
		_, err := db.Exec(ctx, sql)
		must(err)
	}
	done, err := s.ErasePerson(ctx, "bakery", "+966500000001", "key:x", now)
	if err != nil || done.Calls != 2 || done.Unreadable != 2 {
		t.Errorf("erased %+v, %v", done, err)
	}
	for _, id := range []string{ids[0], ids[2]} {
		rows, err := db.Query(ctx, "SELECT record FROM deliveries WHERE call = $1", id)
		must(err)
		all, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
		if must(err); len(all) != 2 || bytes.Contains(bytes.Join(all, nil), []byte("966500000001")) {
			t.Errorf("left of the deliveries: %s", all)
		}
	}
}
