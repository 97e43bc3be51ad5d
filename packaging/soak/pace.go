package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// forHours removes workers that fill lists without bound; the bookers use unused numbers.
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

// measureCapacity measures the workers' unthrottled turns per second.
func (l *mixedLoad) measureCapacity(ctx context.Context) float64 {
	ctx, cancel := context.WithTimeout(ctx, calibrate)
	defer cancel()
	var turns atomic.Int64
	began := time.Now()
	l.startPaced(ctx, 0, &turns).Wait()
	return float64(turns.Load()) / time.Since(began).Seconds()
}

// startPaced starts the workers at a combined rate in turns per second, unthrottled if rate is 0, until ctx ends. The
// realtime worker keeps its own pace: the speed of speech.
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
