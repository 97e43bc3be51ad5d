package cluster_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/cluster"
	"munadi/appliance/httpserver/ratelimit"
	"munadi/store/account"
	"munadi/store/memory"
)

// TestSharedLimits checks that admitted requests of a key count on all appliances, that failed sign-ins lock the
// account on all, and that a password reset unlocks it on all.
func TestSharedLimits(t *testing.T) {
	t.Parallel()
	s := memory.OpenStore()
	defer func() { _ = s.Close() }()
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "acme", Name: "acme"}, "test"); err != nil {
		t.Fatal(err)
	}
	b := &messageBus{members: map[string]func(string, []byte){}}
	var buses []*busPort
	var buckets []*ratelimit.KeyLimiter
	var accounts []*auth.AccountService
	for _, name := range []string{"one", "two"} {
		port := b.joinPort(t, name)
		buses = append(buses, port)
		m := cluster.NewMessenger(port, slog.New(slog.DiscardHandler))
		limiter := ratelimit.NewLimiter(func() int { return 10 }, time.Now)
		people := auth.NewAccounts(s, auth.InstallationSecret{1}, time.Now, slog.New(slog.DiscardHandler))
		x := cluster.NewExchange(m, limiter, people)
		m.StartReceiving()
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); _ = x.Run(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		buckets, accounts = append(buckets, limiter), append(accounts, people)
	}
	for range 10 {
		if wait := buckets[0].TakeToken("k"); wait != 0 {
			t.Fatalf("the first appliance refuses a request within the limit: %v", wait)
		}
	}
	for until := time.Now().Add(patience); buckets[1].TakeToken("k") == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the second appliance never heard of the requests")
		}
	}
	u, err := accounts[0].CreateUser(t.Context(), "acme", "amal", account.Owner, "a long pass phrase", "test")
	if err != nil {
		t.Fatal(err)
	}
	from := auth.SignInOrigin{Address: "192.0.2.1"}
	var locked *auth.LockedError
	for range 5 {
		_, _, err = accounts[0].SignIn(t.Context(), "amal", "wrong", from)
		if errors.As(err, &locked) {
			t.Fatal(err)
		}
	}
	signIn := func() error {
		_, _, err := accounts[1].SignIn(t.Context(), "amal", "a long pass phrase", from)
		return err
	}
	buses[0].awaitDelivery()
	if err := signIn(); !errors.As(err, &locked) {
		t.Errorf("after failures on one appliance the other answers %v", err)
	}
	if err := accounts[0].SetPassword(t.Context(), u, "another long pass phrase", "test", nil); err != nil {
		t.Fatal(err)
	}
	buses[0].awaitDelivery()
	if err := signIn(); errors.As(err, &locked) {
		t.Errorf("after a new password the account is still locked: %v", err)
	}
}
