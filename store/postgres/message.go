package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Messages between appliances: publish/subscribe over NOTIFY. They are not stored: a message sent while a receiver has
// lost its connection does not reach it, so the receiver must request it again. Messages of a sender arrive in order.
const (
	messageQueue = 1024     // queued messages
	messageBatch = 64       // messages sent in one transaction
	partBytes    = 5400     // of a message in one notification: its payload, in base64, is limited to 8000 bytes
	maxMessage   = 16 << 20 // of a message
	maxSenders   = 1024     // senders whose incomplete messages are kept
)

// outgoingMessage is a message to an appliance, or to all others when to is empty.
type outgoingMessage struct {
	to   string
	body []byte
}

// ApplianceID returns the stable id of the appliance that opened the store.
func (s *PostgresStore) ApplianceID() string { return s.appliance }

// SendMessage queues a message to an appliance, or to all others when to is empty; false when the queue is full or the
// message too long.
func (s *PostgresStore) SendMessage(to string, body []byte) bool {
	if len(body) > maxMessage {
		return false
	}
	select {
	case s.outgoing <- outgoingMessage{to, body}:
		return true
	default:
		return false
	}
}

// ReceiveMessages calls receive with each message of another appliance, one at a time, until Close. It must be called
// once.
func (s *PostgresStore) ReceiveMessages(receive func(from string, body []byte)) {
	s.receiver.Store(&receive)
	s.listening.Do(func() { s.workers.Go(s.listenChanges) })
}

// sendMessages sends the queued messages until Close.
func (s *PostgresStore) sendMessages() {
	for number := 0; ; {
		select {
		case <-s.background.Done():
			return
		case m := <-s.outgoing:
			batch := &pgx.Batch{}
			batch.Queue("SELECT set_config('synchronous_commit', 'off', true)") // no data is stored
			for count := 1; ; count++ {
				number++
				s.queueParts(batch, m, number)
				if len(s.outgoing) == 0 || count == messageBatch {
					break
				}
				m = <-s.outgoing
			}
			s.sendBatch(batch)
		}
	}
}

// queueParts queues the notifications of a message.
func (s *PostgresStore) queueParts(batch *pgx.Batch, m outgoingMessage, number int) {
	count := max(1, (len(m.body)+partBytes-1)/partBytes)
	for i := range count {
		part := m.body[i*partBytes : min(len(m.body), (i+1)*partBytes)]
		batch.Queue("SELECT pg_notify($1, $2)", s.messageChannel(m.to),
			formatPart(s.appliance, number, i+1, count, part))
	}
}

// sendBatch sends notifications in one transaction.
func (s *PostgresStore) sendBatch(batch *pgx.Batch) {
	ctx, cancel := context.WithTimeout(s.background, connectTimeout)
	defer cancel()
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		s.log.Debug("messages to other appliances could not be sent", "err", err)
	}
}

// messageChannel returns the channel of messages to an appliance; empty: to all.
func (s *PostgresStore) messageChannel(to string) string {
	if to == "" {
		return s.channel + "_all"
	}
	sum := sha256.Sum256([]byte(to))
	return s.channel + "_" + hex.EncodeToString(sum[:8])
}

// messagePart is a part of a message; number counts the sender's messages, part is 1 to parts.
type messagePart struct {
	from                string
	number, part, parts int
	body                []byte
}

// formatPart encodes a part as the payload of a notification: SENDER NUMBER PART PARTS BASE64.
func formatPart(from string, number, part, parts int, body []byte) string {
	return fmt.Sprintf("%s %d %d %d %s", from, number, part, parts, base64.StdEncoding.EncodeToString(body))
}

// parsePart parses a notification of [formatPart].
func parsePart(payload string) (p messagePart, ok bool) {
	fields := strings.SplitN(payload, " ", 5)
	if len(fields) != 5 || fields[0] == "" {
		return p, false
	}
	p.from = fields[0]
	for i, to := range []*int{&p.number, &p.part, &p.parts} {
		n, err := strconv.Atoi(fields[i+1])
		if err != nil || n < 1 {
			return p, false
		}
		*to = n
	}
	body, err := base64.StdEncoding.DecodeString(fields[4])
	p.body = body
	return p, err == nil && p.part <= p.parts && p.parts <= maxMessage/partBytes+1
}

// messageParts holds the incomplete message of each sender.
type messageParts map[string]messagePart

// joinPart adds a part and returns the whole message after its last part. A message that lacks a part is dropped.
func (m messageParts) joinPart(p messagePart) (body []byte, whole bool) {
	if p.part > 1 {
		before, began := m[p.from]
		if !began || before.number != p.number || before.part != p.part-1 || before.parts != p.parts {
			delete(m, p.from)
			return nil, false
		}
		p.body = append(before.body, p.body...)
	}
	if p.part == p.parts {
		delete(m, p.from)
		return p.body, true
	}
	if len(m) >= maxSenders {
		clear(m)
	}
	m[p.from] = p
	return nil, false
}

// receivePart passes the message that a notification completes to the receiver.
func (s *PostgresStore) receivePart(unfinished messageParts, payload string) {
	receive := s.receiver.Load()
	p, ok := parsePart(payload)
	if !ok || receive == nil || p.from == s.appliance {
		return
	}
	if body, whole := unfinished.joinPart(p); whole {
		(*receive)(p.from, body)
	}
}
