package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// forHours leaves those out who fill lists that only grow; the bookers take numbers that nobody had before.
func (l *mixedLoad) forHours() {
	l.workers = slices.DeleteFunc(l.workers, func(w loadWorker) bool {
		switch w := w.(type) {
		case *keyWorker, *suppressionWorker:
			return true
		case *callBooker:
			w.n = 5000
		}
		return false
	})
}

// measureCapacity returns how many turns a second the workers do when nothing holds them back.
func (l *mixedLoad) measureCapacity(ctx context.Context) float64 {
	ctx, cancel := context.WithTimeout(ctx, calibrate)
	defer cancel()
	var turns atomic.Int64
	began := time.Now()
	l.startPaced(ctx, 0, &turns).Wait()
	return float64(turns.Load()) / time.Since(began).Seconds()
}

// startPaced has the workers do so many turns a second together, all of them if rate is 0, until ctx ends. The talker keeps
// its own pace: people speak as fast as they do.
func (l *mixedLoad) startPaced(ctx context.Context, rate float64, turns *atomic.Int64) *sync.WaitGroup {
	ticks := make(chan struct{}, len(l.workers))
	go func() {
		defer close(ticks)
		for ctx.Err() == nil {
			select {
			case ticks <- struct{}{}:
			case <-ctx.Done():
			}
			if rate > 0 {
				sleepContext(ctx, time.Duration(float64(time.Second)/rate))
			}
		}
	}()
	var all sync.WaitGroup
	for _, w := range l.workers {
		_, free := w.(*realtimeWorker)
		all.Go(func() {
			for ctx.Err() == nil {
				if !free {
					<-ticks
				}
				if w.runTurn(ctx) == nil {
					turns.Add(1)
				}
			}
		})
	}
	return &all
}
