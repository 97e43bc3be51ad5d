package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// longOutage is an outage of the database that probes must show, and during which calls must continue.
const longOutage = 20 * time.Second

// Bounds of the probes' delays, on a busy machine.
const (
	toldWithin      = 20 * time.Second // after a fault
	recoveredWithin = 60 * time.Second // after its end; uploads of recordings are retried within 15 s
	takenOverAfter  = 40 * time.Second // the lease of an appliance
)

// stopDatabase stops the database hard and starts it again.
func (s *clusterSoak) stopDatabase(ctx context.Context, away time.Duration) error {
	var up []runningCall
	if away >= longOutage {
		up = s.listRunning(ctx)
	}
	if err := s.database.Kill(); err != nil {
		return err
	}
	stopped := time.Now()
	if away >= longOutage {
		s.awaitProbes(ctx, "database away", toldWithin, databaseAway)
	}
	sleepContext(ctx, away-time.Since(stopped))
	if err := s.database.Start(); err != nil {
		return err
	}
	s.addTalks(up, stopped, time.Now())
	s.awaitProbes(ctx, "database back", recoveredWithin, allWell)
	return nil
}

// killMember kills an appliance and starts it again: at once, or after others have taken over its work.
func (s *clusterSoak) killMember(ctx context.Context, m *clusterMember, long bool) error {
	m.killProcess()
	m.kills = append(m.kills, time.Now())
	if long {
		s.report.TakenOver++
		sleepContext(ctx, takenOverAfter+20*time.Second)
	}
	return m.startLife(ctx)
}

// stopBucket kills the S3 server and starts it again later.
func (s *clusterSoak) stopBucket(ctx context.Context) error {
	if err := s.bucket.Kill(); err != nil {
		return err
	}
	stopped := time.Now()
	s.awaitProbes(ctx, "bucket away", s.bucketAway, bucketAway)
	sleepContext(ctx, s.bucketAway-time.Since(stopped))
	printLine(s.out, "the bucket was away for %.0f s", time.Since(stopped).Seconds())
	if err := s.bucket.Start(); err != nil { //nolint:contextcheck // it bounds itself
		return err
	}
	s.awaitProbes(ctx, "bucket back", recoveredWithin, allWell)
	return nil
}

// splitMember cuts an appliance off from the database while it has calls.
func (s *clusterSoak) splitMember(ctx context.Context) error {
	up := s.listRunning(ctx)
	for deadline := time.Now().Add(patience); len(up) == 0 && time.Now().Before(deadline); up = s.listRunning(ctx) {
		sleepContext(ctx, 200*time.Millisecond)
	}
	if len(up) == 0 {
		return fmt.Errorf("no call was up within %v: nothing to split", patience)
	}
	m := up[0].member
	m.link.Cut()
	cut := time.Now()
	var cutOff []runningCall
	for _, c := range up {
		if c.member == m {
			cutOff = append(cutOff, c)
		}
	}
	printLine(s.out, "%s is cut off from the database with %d calls", m.name, len(cutOff))
	sleepContext(ctx, s.split)
	m.link.Heal()
	s.addTalks(cutOff, cut, time.Now())
	s.awaitProbes(ctx, "split over", recoveredWithin, allWell)
	return nil
}

// memberState is the state of an appliance's probes.
type memberState struct {
	live, ready, healthy bool
	health               string // body of /health
}

func databaseAway(m memberState) bool { return m.live && !m.ready && !m.healthy }
func bucketAway(m memberState) bool   { return m.live && strings.Contains(m.health, "bucket") }
func allWell(m memberState) bool {
	return m.live && m.ready && m.healthy && !strings.Contains(m.health, "bucket")
}

// awaitProbes waits until the probes of every appliance have the expected state, and records the delay.
func (s *clusterSoak) awaitProbes(ctx context.Context, name string, within time.Duration, want func(memberState) bool) {
	began := time.Now()
	took := make([]time.Duration, len(s.members))
	var all sync.WaitGroup
	for i, m := range s.members {
		all.Go(func() {
			state := m.probeState(ctx)
			for ; !want(state) && time.Since(began) < within && ctx.Err() == nil; state = m.probeState(ctx) {
				if !state.live {
					s.w.addFault("wrong", "%s: %s does not answer /livez", name, m.name)
				}
				sleepContext(ctx, 100*time.Millisecond)
			}
			if took[i] = time.Since(began); !want(state) && ctx.Err() == nil {
				s.w.addFault("wrong", "%s: %s still says %+v after %v", name, m.name, state, within)
			}
		})
	}
	all.Wait()
	s.probes[name] = append(s.probes[name], took...)
}

// probeState asks an appliance's probes.
func (m *clusterMember) probeState(ctx context.Context) (state memberState) {
	a := m.alive.Load()
	if a == nil {
		return state
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	status := func(path string) (int, string) {
		got, _ := a.requestJSON(ctx, http.MethodGet, path, nil) // no answer is status 0
		return got.status, string(got.raw)
	}
	live, _ := status("/livez")
	ready, _ := status("/readyz")
	health, said := status("/health")
	return memberState{
		live: live == http.StatusOK, ready: ready == http.StatusOK, healthy: health == http.StatusOK, health: said,
	}
}
