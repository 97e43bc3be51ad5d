package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"munadi/store"
)

// Pauses of the notifications between appliances.
const (
	notifyPause = 20 * time.Millisecond // commits within it share a notification
	listenPause = time.Second           // between two attempts to listen
	countPause  = 2 * time.Second       // interval of polling the sequences
)

// WatchKind implements [store.ChangeWatcher]; commits of all appliances wake its subscribers.
func (s *PostgresStore) WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func()) {
	s.listening.Do(func() { s.workers.Go(s.listenChanges) })
	return s.watchers.WatchKind(kind)
}

// announceChanges wakes the watchers of this process immediately, and those of other appliances by a notification.
func (s *PostgresStore) announceChanges(kinds []store.ChangeKind) {
	s.watchers.WakeWatchers(kinds)
	s.unsent.addKinds(kinds)
}

// changeSet holds the kinds of changes that must still be announced.
type changeSet struct {
	wake chan struct{}

	mu    sync.Mutex
	kinds map[string]bool
}

func (c *changeSet) addKinds(kinds []store.ChangeKind) {
	if len(kinds) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kinds == nil {
		c.kinds = map[string]bool{}
	}
	for _, kind := range kinds {
		c.kinds[string(kind)] = true
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// takeKinds removes and returns the kinds, in order.
func (c *changeSet) takeKinds() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	kinds := slices.Sorted(maps.Keys(c.kinds))
	clear(c.kinds)
	return kinds
}

// sendChanges announces changes until Close, outside their transactions: PostgreSQL serializes commits of transactions
// with notifications. Failed announcements are repeated when the database answers again.
func (s *PostgresStore) sendChanges() {
	for {
		select {
		case <-s.background.Done():
			return
		case <-s.unsent.wake:
		}
		<-time.After(notifyPause) // commits meanwhile share the notification
		kinds := s.unsent.takeKinds()
		if err := s.notifyChanges(kinds); err != nil && s.background.Err() == nil {
			s.log.Debug("other appliances could not be notified of a change; trying again", "err", err)
			for _, kind := range kinds {
				s.unsent.addKinds([]store.ChangeKind{store.ChangeKind(kind)})
			}
			select {
			case <-s.background.Done():
			case <-time.After(listenPause):
			}
		}
	}
}

// notifyChanges increments the sequences of kinds and notifies the listeners.
func (s *PostgresStore) notifyChanges(kinds []string) error {
	ctx, cancel := context.WithTimeout(s.background, connectTimeout)
	defer cancel()
	_, err := s.pool.Exec(ctx, `WITH counted AS (
		INSERT INTO change_counts (kind, n) SELECT kind, 1 FROM unnest($3::text[]) AS k (kind) ORDER BY kind
		ON CONFLICT (kind) DO UPDATE SET n = change_counts.n + 1)
		SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
		s.channel, s.session+" "+strings.Join(kinds, " "), kinds)
	return err
}

// listenChanges wakes the watchers of this process for the commits of others until Close.
func (s *PostgresStore) listenChanges() {
	var failed error
	for seen := (changeCounts{}); ; {
		err := s.listenOnce(seen)
		if s.background.Err() == nil && failed == nil {
			s.log.Warn("the connection that listens for changes of other appliances broke; reconnecting", "err", err)
		}
		failed = err
		select {
		case <-s.background.Done():
			return
		case <-time.After(listenPause):
		}
	}
}

// changeCounts are the last seen values of the sequences, by kind of change.
type changeCounts map[string]int64

// listenOnce listens on one connection until it breaks. It polls the sequences every [countPause], so that neither a
// dead connection nor a lost notification hides a change for long.
func (s *PostgresStore) listenOnce(seen changeCounts) error {
	conn, err := pgx.ConnectConfig(s.background, s.pool.Config().ConnConfig.Copy()) // outside of the pool
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.background), connectTimeout)
		defer cancel()
		_ = conn.Close(ctx) // no statement is in progress on it
	}()
	_, err = conn.Exec(s.background,
		"LISTEN "+s.channel+"; LISTEN "+s.messageChannel("")+"; LISTEN "+s.messageChannel(s.appliance))
	if err != nil {
		return err
	}
	if err := s.compareCounts(conn, seen); err != nil {
		return err
	}
	unfinished := messageParts{}
	for checked := time.Now(); ; {
		n, err := s.awaitNotification(conn)
		if err != nil {
			return err
		}
		if n != nil && n.Channel == s.channel {
			s.receiveChanges(n.Payload)
		} else if n != nil {
			s.receivePart(unfinished, n.Payload)
		}
		if time.Since(checked) < countPause {
			continue
		}
		if err := s.compareCounts(conn, seen); err != nil {
			return err
		}
		checked = time.Now()
	}
}

// awaitNotification waits for a notification; nil after [countPause] without one.
func (s *PostgresStore) awaitNotification(conn *pgx.Conn) (*pgconn.Notification, error) {
	ctx, cancel := context.WithTimeout(s.background, countPause)
	defer cancel()
	n, err := conn.WaitForNotification(ctx)
	if err != nil && s.background.Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && !conn.IsClosed() {
		return nil, nil //nolint:nilnil // timeout: no notification, no error
	}
	return n, err
}

// receiveChanges wakes the watchers for a notification of another appliance.
func (s *PostgresStore) receiveChanges(payload string) {
	from, kinds, _ := strings.Cut(payload, " ")
	if from == s.session {
		return
	}
	var changed []store.ChangeKind
	for kind := range strings.FieldsSeq(kinds) {
		changed = append(changed, store.ChangeKind(kind))
	}
	s.watchers.WakeWatchers(changed)
}

// compareCounts reads the sequences and wakes the watchers of those that advanced. Watchers that a notification has
// woken already are woken twice, which is harmless.
func (s *PostgresStore) compareCounts(conn *pgx.Conn, seen changeCounts) error {
	ctx, cancel := context.WithTimeout(s.background, connectTimeout)
	defer cancel()
	rows, err := conn.Query(ctx, "SELECT kind, n FROM change_counts")
	if err != nil {
		return err
	}
	var kind string
	var n int64
	var changed []store.ChangeKind
	_, err = pgx.ForEachRow(rows, []any{&kind, &n}, func() error {
		if before, known := seen[kind]; !known || before != n {
			changed = append(changed, store.ChangeKind(kind))
		}
		seen[kind] = n
		return nil
	})
	s.watchers.WakeWatchers(changed)
	return err
}
