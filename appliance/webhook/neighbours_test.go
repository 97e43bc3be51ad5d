package webhook_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/appliance/webhook"
	"munadi/store/delivery"
)

// TestDeadNeighboursForReal: as TestHangingReceiversDelayNoOther, on a database on disk and over sockets.
func TestDeadNeighboursForReal(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	t.Parallel()
	const receivers, rounds = 200, 3
	good := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer good.Close()
	dead := serveRaw(t, func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1)); <-t.Context().Done() })
	s, heard := onDisk(t), &deliveryLags{}
	runParallel(t, func(i int) error {
		url := good.URL
		if i%10 == 0 {
			url = dead
		}
		return enrolledOrganization(t, s, fmt.Sprint("org", i), url)
	}, receivers)
	opt := fromDisk(s)
	opt.Meter, opt.Grace = heard, time.Millisecond
	stop := runWorker(t, webhook.NewWorker(opt).ChangeTimeout(time.Hour)) // who waits for the end of a dead one's try waits for ever
	defer stop()
	for round := range rounds {
		runParallel(t, func(i int) error {
			d := delivery.NewDelivery(fmt.Sprint("org", i), delivery.Test, "call_1", time.Now())
			return s.AddDelivery(t.Context(), d, "test")
		}, receivers)
		want := receivers * 9 / 10 * (round + 1)
		for begun := time.Now(); heard.lagCount(string(webhook.Delivered)) < want; <-time.After(20 * time.Millisecond) {
			if time.Since(begun) > patience {
				t.Fatalf("%d of %d are delivered while the dead ones hang", heard.lagCount(string(webhook.Delivered)), want)
			}
		}
	}
}

// runParallel does something n times, side by side.
func runParallel(t *testing.T, do func(i int) error, n int) {
	t.Helper()
	var group errgroup.Group
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}
