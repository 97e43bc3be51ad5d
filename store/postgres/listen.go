package postgres

import (
	"context"
	"strings"
	"time"

	"munadi/store"
)

// Pauses of the notifications between appliances.
const (
	notifyPause = 20 * time.Millisecond // commits within it share a notification
	listenPause = time.Second           // between two tries to listen
)

// WatchKind implements [store.ChangeWatcher]; commits of all appliances wake its subscribers.
func (s *PostgresStore) WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func()) {
	s.listening.Do(func() { s.workers.Go(s.listenChanges) })
	return s.watchers.WatchKind(kind)
}

// announce wakes the watchers of this process at once, and those of the others soon.
func (s *PostgresStore) announce(kinds []store.ChangeKind) {
	s.watchers.WakeWatchers(kinds)
	for _, kind := range kinds {
		select {
		case s.changes <- kind:
		default: // the watchers poll too
		}
	}
}

// startNotifier sends notifications outside the transactions: PostgreSQL lets no two transactions with notifications
// commit at the same time.
func (s *PostgresStore) startNotifier() {
	s.changes = make(chan store.ChangeKind, 64)
	s.workers.Go(func() {
		for {
			select {
			case <-s.background.Done():
				return
			case kind := <-s.changes:
				s.sendChanges(map[string]bool{string(kind): true})
			}
		}
	})
}

// sendChanges collects changes for a moment and sends them together.
func (s *PostgresStore) sendChanges(kinds map[string]bool) {
	end := time.After(notifyPause)
	for collecting := true; collecting; {
		select {
		case kind := <-s.changes:
			kinds[string(kind)] = true
		case <-end:
			collecting = false
		}
	}
	parts := []string{s.session}
	for kind := range kinds {
		parts = append(parts, kind)
	}
	ctx, cancel := context.WithTimeout(s.background, connectTimeout)
	defer cancel()
	if _, err := s.pool.Exec(ctx, "SELECT pg_notify($1, $2)", s.channel, strings.Join(parts, " ")); err != nil {
		s.log.Debug("other appliances could not be notified of a change; they poll", "err", err)
	}
}

// listenChanges wakes the watchers of this process for the commits of others until Close. After each interruption it
// wakes all of them, since it may have missed some.
func (s *PostgresStore) listenChanges() {
	for again := false; ; again = true {
		if err := s.listenOnce(again); s.background.Err() == nil {
			s.log.Warn("the connection that brings changes of other appliances broke; trying again", "err", err)
		}
		select {
		case <-s.background.Done():
			return
		case <-time.After(listenPause):
		}
	}
}

// listenOnce listens on one connection until it breaks.
func (s *PostgresStore) listenOnce(again bool) error {
	conn, err := s.connectAlone(s.background)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.background), connectTimeout)
		defer cancel()
		_ = conn.Close(ctx) // nothing is under way on it
	}()
	if _, err := conn.Exec(s.background, "LISTEN "+s.channel); err != nil {
		return err
	}
	if again {
		s.watchers.WakeWatchers([]store.ChangeKind{
			store.CallsChanged, store.HangupsAsked, store.OutboxChanged, store.CallbackOwed,
		})
	}
	for {
		n, err := conn.WaitForNotification(s.background)
		if err != nil {
			return err
		}
		from, kinds, _ := strings.Cut(n.Payload, " ")
		if from == s.session {
			continue
		}
		var changed []store.ChangeKind
		for kind := range strings.FieldsSeq(kinds) {
			changed = append(changed, store.ChangeKind(kind))
		}
		s.watchers.WakeWatchers(changed)
	}
}
