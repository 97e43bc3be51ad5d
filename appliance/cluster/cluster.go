package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/ssehub"
	"munadi/appliance/supervisor"
	"munadi/store/call"
	"munadi/store/postgres"
)

// Dependencies connect an appliance with those that share its database; all fields are required.
type Dependencies struct {
	Store    *postgres.PostgresStore
	Events   *ssehub.EventHub
	Sound    *ssehub.SoundHub
	Limits   TokenBuckets
	Locks    SignInLocks
	Describe func() MemberStatus // of this appliance; its name is added
	// Rescued receives the calls of dead appliances that were ended as interrupted; nil: none are ended.
	Rescued func(ended []call.Call)
	// HoldsCall reports whether a call has a line of this appliance; nil: it has no lines.
	HoldsCall func(id string) bool
	// FilesChanged is called when another appliance has changed models or prompts in the bucket.
	FilesChanged func()
	Log          *slog.Logger
}

// Cluster connects an appliance with those that share its database. A nil Cluster is an appliance without others.
type Cluster struct {
	Dependencies
	messenger *Messenger
	relay     *EventRelay
	limits    *LimitExchange
	query     *EventQuery
}

// NewCluster connects the hubs and limits; no message is sent before the workers run.
func NewCluster(d Dependencies) *Cluster {
	m := NewMessenger(d.Store, d.Log)
	c := &Cluster{
		Dependencies: d, messenger: m, relay: NewRelay(m, d.Events, d.Sound), limits: NewExchange(m, d.Limits, d.Locks),
	}
	c.query = NewQuery(m, d.Events)
	handleKind(m, filesKind, func(string, struct{}) { d.FilesChanged() })
	d.Events.SetRelay(c.relay)
	d.Sound.SetRelay(c.relay)
	return c
}

// LatestEvents returns the latest events of topics that other appliances publish: see [EventQuery.LatestEvents].
func (c *Cluster) LatestEvents(
	ctx context.Context, topics []ssehub.EventTopic, kind string, n int,
) map[ssehub.EventTopic][]json.RawMessage {
	if c == nil {
		return nil
	}
	return c.query.LatestEvents(ctx, topics, kind, n)
}

// filesKind is the kind of message that models or prompts in the bucket have changed.
const filesKind = "files"

// AnnounceFiles notifies the other appliances that models or prompts in the bucket have changed.
func (c *Cluster) AnnounceFiles() {
	if c != nil {
		c.messenger.sendKind("", filesKind, struct{}{})
	}
}

// ModelUsers lists the other appliances that serve with an installed model.
func (c *Cluster) ModelUsers(ctx context.Context, name string) (users []string, err error) {
	all, err := c.ListMembers(ctx)
	for _, one := range all {
		if !one.Here && one.Alive && one.Installed == name {
			users = append(users, cmp.Or(one.Name, one.Address))
		}
	}
	return users, err
}

// ListWorkers returns the workers.
func (c *Cluster) ListWorkers() []supervisor.BackgroundWorker {
	if c == nil {
		return nil
	}
	return []supervisor.BackgroundWorker{
		{Name: "lease", Run: c.keepLease},
		{Name: "relay", Run: func(ctx context.Context) error {
			c.messenger.StartReceiving()
			return c.relay.Run(ctx)
		}},
		{Name: "limits", Run: c.limits.Run},
	}
}

// BeginLease takes this appliance's lease before its workers claim anything.
func (c *Cluster) BeginLease(ctx context.Context) {
	if c != nil {
		c.Store.BeginLease(ctx, c.describeStatus)
	}
}

// keepLease holds this appliance's lease.
func (c *Cluster) keepLease(ctx context.Context) error {
	c.Store.KeepLease(ctx, postgres.LeaseHolder{Rescued: c.Rescued, HoldsCall: c.HoldsCall, Describe: c.describeStatus})
	return nil
}

// describeStatus returns this appliance's status for its lease.
func (c *Cluster) describeStatus() []byte {
	s := c.Describe()
	s.Name, _ = os.Hostname() // empty: the address is enough
	return encodeStatus(s)
}

// Member is an appliance that shares the database.
type Member struct {
	MemberStatus
	Alive  bool
	Silent time.Duration // since it was heard
	Here   bool          // this one
}

// ListMembers lists the appliances that share the database, this one among them.
func (c *Cluster) ListMembers(ctx context.Context) (all []Member, err error) {
	if c == nil {
		return nil, nil
	}
	found, err := c.Store.ListAppliances(ctx)
	for _, one := range found {
		all = append(all, Member{
			MemberStatus: decodeStatus(one.Status), Alive: one.Alive, Silent: one.Silent, Here: one.ID == c.Store.ApplianceID(),
		})
	}
	return all, err
}

// IsFirst reports whether this appliance does the work that only one of all must do (leader election): of those that
// serve calls and hold their lease, the first by id. It is false while the database does not answer.
func (c *Cluster) IsFirst(ctx context.Context) bool {
	if c == nil {
		return true
	}
	all, err := c.ListMembers(ctx)
	for _, one := range all {
		if one.Here {
			return err == nil
		}
		if one.Alive && one.Role != config.RoleSTT {
			return false
		}
	}
	return err == nil // its own lease begins right after the start
}

// MemberStatus is the status that an appliance publishes with its lease.
type MemberStatus struct {
	Name    string `json:"name"` // of its machine
	Address string `json:"address"`
	Version string `json:"version"`
	Role    string `json:"role"`
	Model   string `json:"model"` // empty while it is loaded
	// Installed is the installed model that serves, by its name in the models' folder; empty for the built-in one.
	Installed string    `json:"installed,omitempty"`
	Started   time.Time `json:"started"`
	Lines     int       `json:"lines"` // calls at once
	Held      int       `json:"held"`  // calls that are up
	Queue     int       `json:"queue"` // pieces of work that wait for the recognizer
	Ready     bool      `json:"ready"`
	Health    string    `json:"health"` // a sentence for people
}

// encodeStatus is a status as it is stored.
func encodeStatus(s MemberStatus) []byte {
	body, err := json.Marshal(s)
	if err != nil {
		return nil // a structure of plain fields is always encoded
	}
	return body
}

// decodeStatus reads a status; one of another version may be partly, or wholly, empty.
func decodeStatus(body []byte) (s MemberStatus) {
	if json.Unmarshal(body, &s) != nil {
		return MemberStatus{}
	}
	return s
}
