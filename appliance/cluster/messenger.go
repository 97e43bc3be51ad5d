// Package cluster connects appliances that share a database: events published on one reach the viewers of all
// ([EventRelay]), and limits that are counted in memory hold over all ([LimitExchange]).
//
// Appliances exchange messages through the database (publish/subscribe), so that they need no addresses, ports or
// certificates of one another. Messages may be lost; receivers ask again.
package cluster

import (
	"bytes"
	"encoding/json"
	"log/slog"
)

// Transport carries messages between appliances, in order for each sender; messages may be lost.
type Transport interface {
	// SendMessage queues a message to an appliance, or to all others when to is empty; false when it cannot be queued.
	SendMessage(to string, body []byte) bool
	// ReceiveMessages calls receive with each message, one after the other. It is called once.
	ReceiveMessages(receive func(from string, body []byte))
}

// Messenger sends and receives messages by kind. A message is its kind, a space, and JSON.
type Messenger struct {
	transport Transport
	log       *slog.Logger
	handlers  map[string]func(from string, body []byte)
}

// NewMessenger returns a messenger on a transport.
func NewMessenger(t Transport, log *slog.Logger) *Messenger {
	return &Messenger{transport: t, log: log, handlers: map[string]func(from string, body []byte){}}
}

// StartReceiving hands messages to their handlers from now on. Those of an unknown kind, which a newer version may
// send, are ignored.
func (m *Messenger) StartReceiving() {
	m.transport.ReceiveMessages(func(from string, body []byte) {
		kind, content, _ := bytes.Cut(body, []byte(" "))
		if handle := m.handlers[string(kind)]; handle != nil {
			handle(from, content)
		}
	})
}

// handleKind calls handle with each message of a kind, before receiving starts. A message that cannot be read is
// dropped.
func handleKind[T any](m *Messenger, kind string, handle func(from string, content T)) {
	m.handlers[kind] = func(from string, body []byte) {
		var content T
		if err := json.Unmarshal(body, &content); err != nil {
			m.log.Debug("a message of another appliance cannot be read", "kind", kind, "err", err)
			return
		}
		handle(from, content)
	}
}

// sendKind sends a message of a kind to an appliance, or to all others when to is empty.
func (m *Messenger) sendKind(to, kind string, content any) bool {
	body, err := json.Marshal(content)
	if err != nil {
		return false
	}
	return m.transport.SendMessage(to, append([]byte(kind+" "), body...))
}
