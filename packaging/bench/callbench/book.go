package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	clients = 32
	bookFor = time.Minute
)

// syncedWrites returns how many synced transactions per second Badger makes, one writer after another.
func syncedWrites() (float64, error) {
	out, err := exec.Command("go", "test", "-run", "xxx", "-bench", "SyncedWrite", "-benchtime", "2s",
		"./store/badger").Output()
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(`SyncedWrite\S*\s+\d+\s+([\d.]+) ns/op`).FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("no SyncedWrite in %q", out)
	}
	ns, err := strconv.ParseFloat(string(found[1]), 64)
	return 1e9 / ns, err
}

// runConcurrently runs f from many goroutines until it says false, and returns how often it said true and the first
// error.
func runConcurrently(workers int, f func(n int64) (bool, error)) (int64, error) {
	var next, done atomic.Int64
	var first error
	var once sync.Once
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				again, err := f(next.Add(1))
				if err != nil {
					once.Do(func() { first = err })
					return
				}
				if !again {
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	return done.Load(), first
}

// phoneNumber returns a unique telephone number for each n, with that ending.
func phoneNumber(n int64, ending string) string {
	return fmt.Sprintf("+9665%06d%s", n%1_000_000, ending)
}

// benchBookings books from many clients.
func benchBookings(b *callBench) ([]figureRow, error) {
	if _, err := b.startAppliance(); err != nil {
		return nil, err
	}
	limit, err := syncedWrites()
	if err != nil {
		return nil, err
	}
	spent := b.process.ProcessorTime()
	end := time.Now().Add(bookFor)
	n, err := runConcurrently(clients, func(n int64) (bool, error) {
		_, err := b.bookCall(phoneNumber(n, "94"), time.Now().Add(time.Hour))
		return time.Now().Before(end), err
	})
	spent = (b.process.ProcessorTime() - spent) / time.Duration(max(1, n))
	rate := float64(n) / bookFor.Seconds()
	return []figureRow{{
		fmt.Sprintf("bookings a second over HTTP, %d clients, for %.0f s", clients, bookFor.Seconds()),
		fmt.Sprintf("%.0f", rate),
		fmt.Sprintf("%.2f × Badger's synced writes (%.0f/s, one writer); %d µs of a processor each, %s",
			rate/limit, limit, spent.Microseconds(), machineLoad()),
	}}, err
}
