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
	stop := startWorker(t, opt)
	runParallel(t, func(i int) error {
		<-time.After(time.Duration(i) * 5 * time.Millisecond) // the receivers' turns are spread over the second
		for range rounds {
			d := delivery.NewDelivery(fmt.Sprint("org", i), delivery.Test, "call_1", time.Now())
			if err := s.AddDelivery(t.Context(), d, "test"); err != nil {
				return err
			}
			<-time.After(time.Second)
		}
		return nil
	}, receivers)
	for begun := time.Now(); heard.lagCount("delivered") < receivers*9/10*rounds && time.Since(begun) < 30*time.Second; {
		<-time.After(20 * time.Millisecond)
	}
	stop()
	heard.mu.Lock()
	defer heard.mu.Unlock()
	if n := heard.outcomes[string(webhook.Delivered)]; n != receivers*9/10*rounds {
		t.Fatalf("%d delivered", n)
	}
	p99 := heard.percentile99()
	t.Logf("the healthy receivers' lag: median %v, p99 %v", heard.late[len(heard.late)/2], p99)
	if p99 > 2*time.Second {
		t.Errorf("p99 of the healthy receivers' lag is %v", p99)
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
