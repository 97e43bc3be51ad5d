package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// soakWitness records requests, acknowledgements and received webhooks.
type soakWitness struct {
	endpoint string // where webhooks go
	server   *http.Server

	mu          sync.Mutex
	life        int                          // of the appliance
	bookings    map[string]*bookedCall       // by number: each has its own
	jobs        map[string]string            // id → expected text
	keys        map[string]*issuedKey        // by name
	suppressed  map[string]bool              // numbers; true: acknowledged
	told        map[string][]receivedWebhook // by call
	dials       map[string][]string          // by call: which appliances dialled it, from their logs
	alerts      map[string]bool              // kinds and subjects of received alerts
	transcribed int
	talked      int
	faults      []soakFault
}

// bookedCall is one requested call.
type bookedCall struct {
	number, idempotency string
	scenario            string    // empty: an appointment to confirm
	retry               bool      // retry a failed attempt
	at                  time.Time // requested time; zero: now
	id                  string    // acknowledged
	cancelled           bool      // acknowledged
	moved               time.Time // acknowledged
}

// issuedKey is an API key.
type issuedKey struct {
	plain             string // acknowledged
	revoking, revoked bool
}

// receivedWebhook is one webhook.
type receivedWebhook struct {
	life     int
	kind     string
	ok       bool   // answered with success
	delivery string // its id
}

// soakFault is one detected fault: lost, phantom, doubled or wrong.
type soakFault struct {
	Kind string `json:"kind"`
	What string `json:"what"`
}

func newWitness() (*soakWitness, error) {
	w := &soakWitness{
		bookings: map[string]*bookedCall{}, jobs: map[string]string{}, keys: map[string]*issuedKey{},
		suppressed: map[string]bool{}, told: map[string][]receivedWebhook{}, dials: map[string][]string{},
		alerts: map[string]bool{},
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w.endpoint = "http://" + l.Addr().String() + "/hook/secret-path"
	w.server = &http.Server{Handler: http.HandlerFunc(w.receiveWebhook), ReadHeaderTimeout: patience}
	go func() { _ = w.server.Serve(l) }() // until it is closed
	return w, nil
}

func (w *soakWitness) closeServer() { _ = w.server.Close() }

// receiveWebhook is the webhook endpoint. One call in eight is answered with an error the first time.
func (w *soakWitness) receiveWebhook(rw http.ResponseWriter, r *http.Request) {
	var body jsonObject
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		rw.WriteHeader(http.StatusBadRequest) // the appliance was killed while sending
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if body.textAt("payload", "type") == "alert" {
		w.alerts[body.textAt("payload", "kind")+" "+body.textAt("payload", "subject")] = true
		return
	}
	id := body.textAt("call_id")
	ok := len(w.told[id]) > 0 || id == "" || id[len(id)-1]&7 != 0
	w.told[id] = append(w.told[id], receivedWebhook{
		w.life, body.textAt("payload", "type"), ok, r.Header.Get("X-Munadi-Delivery"),
	})
	if !ok {
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
}

// noteRestart records that the appliance is restarted.
func (w *soakWitness) noteRestart() { w.mu.Lock(); defer w.mu.Unlock(); w.life++ }

// noteDialled records that an appliance dials a call.
func (w *soakWitness) noteDialled(call, appliance string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dials[call] = append(w.dials[call], appliance)
}

// heardAlert reports whether an alert of this kind and subject was received.
func (w *soakWitness) heardAlert(kind, subject string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.alerts[kind+" "+subject]
}

func (w *soakWitness) addFault(kind, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, soakFault{kind, fmt.Sprintf(format, args...)})
}

// updateRecords changes the records.
func (w *soakWitness) updateRecords(change func()) { w.mu.Lock(); defer w.mu.Unlock(); change() }

// String counts the acknowledgements.
func (w *soakWitness) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.countAcknowledged()
	return fmt.Sprintf("%d calls, %d transcriptions, %d jobs, %d live turns, %d keys, %d suppressions, %d webhooks",
		c.Calls, c.Transcriptions, c.Jobs, c.Turns, c.Keys, c.Suppressions, c.Webhooks)
}

// acknowledgedCounts are the acknowledged ones.
type acknowledgedCounts struct {
	Calls          int `json:"calls"`
	Transcriptions int `json:"transcriptions"`
	Jobs           int `json:"jobs"`
	Turns          int `json:"live_turns"`
	Keys           int `json:"keys"`
	Suppressions   int `json:"suppressions"`
	Webhooks       int `json:"webhooks"`
}

func (w *soakWitness) countAcknowledged() acknowledgedCounts {
	c := acknowledgedCounts{Transcriptions: w.transcribed, Jobs: len(w.jobs), Turns: w.talked}
	for _, b := range w.bookings {
		if b.id != "" {
			c.Calls++
		}
	}
	for _, k := range w.keys {
		if k.plain != "" {
			c.Keys++
		}
	}
	for _, sure := range w.suppressed {
		if sure {
			c.Suppressions++
		}
	}
	for _, all := range w.told {
		for _, one := range all {
			if one.ok {
				c.Webhooks++
			}
		}
	}
	return c
}
