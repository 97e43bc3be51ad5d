// Package postgres implements the store contract on a PostgreSQL database (15 or newer) that several appliances share.
// It is the only importer of pgx and does not import the appliance.
//
// # Tables
//
// Each kind of record has a table (migrations, applied by goose when the database is opened): the columns that queries
// need, and the record itself, in the same bytes as in the embedded database, so that records can be copied between the
// two.
//
// # Writing
//
// Each method is one transaction. It locks the rows that it changes, in the order call, delivery, campaign, and applies
// the rules of the leaf packages. Statements without a needed result are queued and sent together (pipelining). A
// transaction with a serialization failure or deadlock is retried. Each one writes its id into the table commits: if
// the answer to a commit is lost, that row shows whether it was committed ([PostgresStore.settleCommit]).
//
// # Sharing
//
// Each appliance holds a lease, renewed while it runs ([PostgresStore.KeepLease]). It owns the calls on its lines, its
// jobs, campaigns and deliveries; when its lease has expired, another appliance ends its calls as interrupted and takes
// over the rest. Scheduled calls have no owner: the appliance that releases a call becomes its owner. Commits wake the
// workers of all appliances by NOTIFY, and increment a sequence for each kind of change, by which an appliance detects
// changes whose notification it missed.
package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"munadi/store"
	"munadi/store/record"
	"munadi/store/records"
)

// OpenOptions configures a store; the zero value is for tools that hold no lines and run no jobs.
type OpenOptions struct {
	// Appliance is the stable id of the appliance that opens the store; empty: a new one. Only one process at a time may
	// use an id, since a start ends the running work of the previous process with that id.
	Appliance string
	// SharesUploads means that the appliance can reach the bucket of shared uploads: it also runs jobs that others
	// accepted.
	SharesUploads bool
	// NeedsLease means that the appliance keeps a lease ([PostgresStore.KeepLease]) and claims calls and jobs only while
	// it holds it: work claimed without a lease would be taken over as that of a dead appliance.
	NeedsLease bool
	// Logger receives connection failures and takeovers; nil discards them.
	Logger *slog.Logger
}

// PostgresStore is an open database; it implements [store.Store].
type PostgresStore struct {
	*records.Records
	record.AuditSecret
	lanes     laneTable
	pool      *pgxpool.Pool
	log       *slog.Logger
	appliance string // owner of this process's work

	unreadable *record.UnreadableLog

	sharesUploads bool
	needsLease    bool
	session       string // of this process: it skips its own notifications
	channel       string // of LISTEN and NOTIFY: one for each schema
	watchers      record.WatcherSet

	background context.Context // ended by Close
	stop       context.CancelFunc
	workers    sync.WaitGroup
	unsent     changeSet            // to announce to other appliances
	outgoing   chan outgoingMessage // to other appliances
	receiver   atomic.Pointer[func(from string, body []byte)]
	listening  sync.Once

	mu     sync.RWMutex // held for reading during every call, for writing by Close
	closed bool
}

var _ store.Store = (*PostgresStore)(nil)

// Connection settings, unless the URL says otherwise.
const (
	connectTimeout = 5 * time.Second
	callTimeout    = time.Minute // of one method, even if its context allows more
	maxConns       = 16
	idlePing       = 100 * time.Millisecond // a connection that was idle for longer is checked before use
	pingTimeout    = 2 * time.Second        // of that check; then the connection is replaced
)

// OpenStore connects to the database of a URL (postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTIONS) and creates or
// migrates its tables. The error is [store.CodeUnavailable] when the server does not answer, and [store.CodeFormat]
// when a newer version wrote the database.
func OpenStore(ctx context.Context, url string, opt OpenOptions) (*PostgresStore, error) {
	config, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	return openPool(ctx, config, opt)
}

// openPool opens the store of a parsed URL.
func openPool(ctx context.Context, config *pgxpool.Config, opt OpenOptions) (*PostgresStore, error) {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, translateError(err)
	}
	s := &PostgresStore{
		pool: pool, log: opt.Logger, appliance: opt.Appliance, session: uuid.NewString(),
		sharesUploads: opt.SharesUploads, needsLease: opt.NeedsLease,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.unreadable = record.NewUnreadableLog(s.log)
	if s.appliance == "" {
		s.appliance = s.session
	}
	s.Records = records.NewRecords(storeDriver{s: s})
	s.background, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err = migrateTables(ctx, pool); err == nil {
		err = pool.QueryRow(ctx, "SELECT 'munadi_' || md5(current_schema())").Scan(&s.channel)
	}
	if err == nil {
		err = s.countPeople(ctx)
	}
	if err != nil {
		s.stop()
		pool.Close()
		return nil, fmt.Errorf("open the database: %w", translateError(err))
	}
	s.unsent.wake = make(chan struct{}, 1)
	s.outgoing = make(chan outgoingMessage, messageQueue)
	s.workers.Go(s.sendChanges)
	s.workers.Go(s.sendMessages)
	return s, nil
}

// parseURL parses the URL and sets defaults. The error does not contain the password.
func parseURL(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, store.Errorf(store.CodeInvalid,
			"the store's URL is malformed: its form is postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full")
	}
	if config.ConnConfig.ConnectTimeout == 0 || config.ConnConfig.ConnectTimeout > connectTimeout {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.MaxConns < maxConns && !hasParameter(url, "pool_max_conns") {
		config.MaxConns = maxConns
	}
	if !hasParameter(url, "pool_ping_timeout") {
		config.PingTimeout = pingTimeout
	}
	config.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool {
		return p.IdleDuration > idlePing // the server may have closed it meanwhile
	}
	for name, value := range map[string]string{
		"application_name": "munadi", "idle_in_transaction_session_timeout": "60000", "lock_timeout": "20000",
		"statement_timeout": "60000", "timezone": "UTC",
	} {
		if _, given := config.ConnConfig.RuntimeParams[name]; !given {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	return config, nil
}

// Close waits for the calls in progress, then closes all connections (graceful shutdown). A second Close does nothing.
func (s *PostgresStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.stop()
	s.workers.Wait()
	s.pool.Close()
	return nil
}

// Ping reports whether the database answers.
func (s *PostgresStore) Ping(ctx context.Context) error {
	return s.readRows(ctx, func(e *dbTx) error { return e.exec("SELECT 1") })
}
