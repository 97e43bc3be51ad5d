// Package browsercall holds a scenario's conversation with a person at a browser, as a call would: by microphone and
// speaker, over a WebSocket. It is kept like a call, as a trial ([call.NewTrial]).
//
// The browser sends its microphone's sound and gets the platform's, both in binary messages of 16-bit little-endian
// samples at 16000 Hz, and in texts the events of the conversation:
//
//	call     {id}                   the conversation begins; under this id it is kept
//	message  {role, content}        a turn that is over; role is assistant or user
//	partial  {text}                 what was recognized of the open turn so far
//	slot     {name, value}          a value that was found out
//	step     {id}                   a step that was reached
//	flush    {}                     what was not played yet is not to be played
//	transfer {to}                   a call would be transferred now; the conversation ends
//	end      {status, report}       the conversation is over, and kept
//
// It may send {"keys": "12"} for pressed keys, and {"hang_up": true}.
package browsercall

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/coder/websocket"

	"munadi/appliance/carrier"
	"munadi/appliance/quota"
	"munadi/store/call"
	"munadi/store/scenario"
)

// Request is the scenario of a conversation and the values of a booking. Actor is who holds it, as in the audit log.
type Request struct {
	OrgID     string
	Actor     string
	Scenario  scenario.Scenario
	Variables map[string]any
}

// Observer is told what happens in a conversation, on one goroutine.
type Observer struct {
	OnCall    func(id string)
	OnMessage func(call.Message)
	OnPartial func(text string)
	OnSlot    func(name string, value any)
	OnStep    func(id string)
}

// Outcome is how a conversation ended.
type Outcome struct {
	Status call.CallStatus
	Report json.RawMessage
}

// ConverseFunc holds a conversation over a line, to its end.
type ConverseFunc func(ctx context.Context, line carrier.Line, r Request, o Observer) (Outcome, error)

// Protocol is the WebSocket subprotocol of these messages; a client need not offer it.
const Protocol = "munadi-talk"

// Limits of conversations at once: of the installation, and of one organization.
const (
	MaxTalks    = 4
	maxOrgTalks = 2
)

// ErrFull is the error of a conversation beyond the limits, or the machine's speed.
var ErrFull = errors.New("too many conversations are open; close one, or try again later")

// Service holds conversations. It is safe for concurrent use.
type Service struct {
	converse ConverseFunc
	room     func() int // how many conversations the machine can recognize besides its calls; 0: unknown
	log      *slog.Logger
	seats    *quota.Quota
}

// NewService makes a service.
func NewService(converse ConverseFunc, room func() int, log *slog.Logger) *Service {
	return &Service{converse: converse, room: room, log: log, seats: quota.NewQuota(MaxTalks, maxOrgTalks)}
}

// ServeCall upgrades a request to a WebSocket and holds the conversation. Before the upgrade it returns [ErrFull], and
// nil afterwards. Requests of other origins are refused.
func (s *Service) ServeCall(w http.ResponseWriter, r *http.Request, q Request) error {
	if room := s.room(); room > 0 && s.seats.CountUnits() >= room ||
		s.seats.TakeUnitsWithin(q.OrgID, 1, MaxTalks, maxOrgTalks) != nil {
		return ErrFull
	}
	defer s.seats.ReleaseUnits(q.OrgID, 1)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{Protocol}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil // the response was written
	}
	defer func() { _ = conn.CloseNow() }()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	line := newLine(conn)
	go line.receiveMessages(ctx)
	if err := s.holdConversation(ctx, line, q); err != nil {
		s.log.Warn("a conversation with a browser failed", "organization", q.OrgID, "err", err)
		_ = conn.Close(websocket.StatusInternalError, "the conversation failed")
		return nil
	}
	_ = conn.Close(websocket.StatusNormalClosure, "")
	return nil
}

// holdConversation runs the conversation and tells the browser what happens. A machine's greeting is not looked for: a
// person has pressed the button.
func (s *Service) holdConversation(ctx context.Context, line *browserLine, q Request) error {
	type event map[string]any
	tell := func(kind string, e event) {
		e["type"] = kind
		line.SendEvent(ctx, e)
	}
	q.Scenario.AnsweringMachine = scenario.MachineOff
	out, err := s.converse(ctx, line, q, Observer{
		OnCall:    func(id string) { tell("call", event{"id": id}) },
		OnMessage: func(m call.Message) { tell("message", event{"role": m.Role, "content": m.Content}) },
		OnPartial: func(text string) { tell("partial", event{"text": text}) },
		OnSlot:    func(name string, value any) { tell("slot", event{"name": name, "value": value}) },
		OnStep:    func(id string) { tell("step", event{"id": id}) },
	})
	if err != nil {
		return err
	}
	tell("end", event{"status": out.Status, "report": out.Report})
	return nil
}
