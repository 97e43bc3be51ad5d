package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/webhook"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/delivery"
	"munadi/store/storetest"
)

// BenchmarkDeliveries sends notifications of 4 KiB over loopback, from a database on disk, each recorded with a
// synced write, to one receiver and to many. To be read beside BenchmarkSyncedWrites and BenchmarkFsync.
func BenchmarkDeliveries(b *testing.B) {
	for _, receivers := range []int{1, 16, 200} {
		b.Run(fmt.Sprintf("receivers=%d", receivers), func(b *testing.B) {
			var got atomic.Int64
			done := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if got.Add(1) == int64(b.N) {
					close(done)
				}
			}))
			defer server.Close()
			s := onDisk(b)
			for i := range receivers {
				addReceiver(b, s, fmt.Sprint("org", i), server.URL)
			}
			fillOutbox(b, s, receivers)
			ctx, cancel := context.WithCancel(b.Context())
			ended := make(chan error)
			b.ResetTimer()
			go func() { ended <- webhook.NewWorker(fromDisk(s)).Run(ctx) }()
			<-done
			cancel()
			if err := <-ended; err != nil {
				b.Error(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}

// fillOutbox fills the outbox with b.N notifications, receiver by receiver in turn.
func fillOutbox(b *testing.B, s *badger.BadgerStore, receivers int) {
	b.Helper()
	slots, failed := make(chan struct{}, 256), make(chan error, b.N)
	for i := range b.N {
		slots <- struct{}{}
		go func() {
			d := delivery.NewDelivery(fmt.Sprint("org", i%receivers), delivery.Test, fmt.Sprint("call_", i), time.Now())
			failed <- s.AddDelivery(b.Context(), d, "test")
			<-slots
		}()
	}
	for range b.N {
		if err := <-failed; err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSyncedWrites: one writer that waits for each of its writes to the same database.
func BenchmarkSyncedWrites(b *testing.B) {
	s := onDisk(b)
	addReceiver(b, s, "org0", "http://127.0.0.1/")
	b.ResetTimer()
	for range b.N {
		if err := storetest.ReplaceWebhook(b.Context(), s, "org0", delivery.WebhookSetting{}, "bench", time.Now()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
}

// BenchmarkFsync: 4 KiB appended to a file and synced, what the disk itself can do.
func BenchmarkFsync(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	for b.Loop() {
		if _, err := file.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := file.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
}

func onDisk(t testing.TB) *badger.BadgerStore {
	t.Helper()
	s, err := badger.OpenStore(filepath.Join(t.TempDir(), "db"), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// addReceiver makes an organization whose receiver is at url.
func addReceiver(t testing.TB, s *badger.BadgerStore, id, url string) {
	t.Helper()
	if err := enrolledOrganization(t, s, id, url); err != nil {
		t.Fatal(err)
	}
}

func enrolledOrganization(t testing.TB, s *badger.BadgerStore, id, url string) error {
	w := delivery.WebhookSetting{URL: url, Enabled: true}
	return errors.Join(
		s.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id}, "test"),
		storetest.ReplaceWebhook(t.Context(), s, id, w, "test", time.Now()),
	)
}

// fromDisk are a worker's options over a real database and the real network.
func fromDisk(s *badger.BadgerStore) webhook.WorkerOptions {
	body := []byte(`{"call_id":"call_1","payload":"` + strings.Repeat("x", 4000) + `"}`)
	return webhook.WorkerOptions{
		Store: s, Version: "1.2.3", Log: slog.New(slog.DiscardHandler),
		Body: func(context.Context, delivery.Delivery) ([]byte, error) { return body, nil },
	}
}
