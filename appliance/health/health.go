// Package health knows whether the appliance is alive, ready and able to decode, and says so over HTTP.
//
// It is told: the appliance drives the phases, workers report under their names. It watches nothing by itself and
// knows neither engine nor store.
//
//	/livez   200 {"status":"alive"} as long as the process turns
//	/readyz  200 {"status":"ready"}, or 503 with "starting" or "draining"; "starting" too while nothing can be stored
//	/health  200 {"status":"ok","message":…} while the model can decode, 503 {"status":"error","message":…} when not, or
//	         while the store cannot be read
//
// Choices where the contract is silent: a worker that reports a failure turns readiness to "starting", since the
// supervisor starts it again; /health stays ok then, and while draining, because the model still decodes.
package health

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// HealthPhase is where the appliance is in its life.
type HealthPhase string

// The phases; an appliance goes through them in this order, once.
const (
	Starting HealthPhase = "starting"
	Ready    HealthPhase = "ready"
	Draining HealthPhase = "draining"
)

// HealthState is the appliance's health. It is safe for concurrent use; the zero value is starting.
type HealthState struct {
	mu       sync.RWMutex
	phase    HealthPhase
	broken   string            // why the model can't decode; empty when it can
	storage  string            // why nothing can be stored; empty when it can
	away     bool              // the store answers nothing, not even reads
	workers  map[string]string // what is wrong with each worker that failed
	warnings map[string]string // what an operator should look at, whatever else is well, by subject
}

// SetReady says that the model is warm and requests are served. It does nothing once Drain was called.
func (s *HealthState) SetReady() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != Draining {
		s.phase = Ready
	}
}

// SetDraining says that no new work is taken any more.
func (s *HealthState) SetDraining() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = Draining
}

// SetBroken says that the model cannot decode, with a sentence that a person may read; an empty one takes it back.
func (s *HealthState) SetBroken(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = message
}

// SetWarning adds a sentence about a subject that an operator should see to what [HealthState.CanDecode] says, in place of the one
// before; an empty one takes it back. Requests are served all the same.
func (s *HealthState) SetWarning(subject, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if message == "" {
		delete(s.warnings, subject)
		return
	}
	if s.warnings == nil {
		s.warnings = map[string]string{}
	}
	s.warnings[subject] = message
}

// SetStorage says why nothing can be stored, with a sentence that a person may read; an empty one takes it back. Readiness
// is red meanwhile. away says that the store cannot even be read: then /health is an error too.
func (s *HealthState) SetStorage(message string, away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.storage, s.away = message, away && message != ""
}

// ReportWorker records how a worker fares: nil when it runs. The first line of the error's text is for [HealthState.WorkerFaults]; the
// probes show only names.
func (s *HealthState) ReportWorker(worker string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		delete(s.workers, worker)
		return
	}
	if s.workers == nil {
		s.workers = map[string]string{}
	}
	s.workers[worker], _, _ = strings.Cut(err.Error(), "\n") // behind it a breakdown has its stack
}

// WorkerFaults are the workers that failed, and with what; for those who govern the appliance.
func (s *HealthState) WorkerFaults() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return maps.Clone(s.workers)
}

// Phase is what /readyz says: Ready only when the model decodes, every worker runs and what comes can be stored.
func (s *HealthState) Phase() HealthPhase {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.phase == Ready && (s.broken != "" || s.storage != "" || len(s.workers) > 0) || s.phase == "" {
		return Starting
	}
	return s.phase
}

// CanDecode tells whether requests can be decoded now, and in a sentence why not. Failed workers don't matter to it.
func (s *HealthState) CanDecode() (ok bool, message string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	ok, message = s.decodeState()
	if s.storage != "" {
		message += "; " + s.storage
	}
	for _, subject := range slices.Sorted(maps.Keys(s.warnings)) {
		message += "; " + s.warnings[subject]
	}
	return ok, message
}

func (s *HealthState) decodeState() (ok bool, message string) {
	switch {
	case s.broken != "":
		return false, s.broken
	case s.away:
		return false, "the store does not answer"
	case s.phase == "" || s.phase == Starting:
		return false, "the model is being loaded"
	case s.phase == Draining:
		return true, "svc-stt decodes; the service is shutting down"
	case len(s.workers) > 0:
		return true, "svc-stt decodes; being restarted: " + strings.Join(slices.Sorted(maps.Keys(s.workers)), ", ")
	}
	return true, "svc-stt is ready"
}
