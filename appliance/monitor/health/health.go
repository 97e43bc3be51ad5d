// Package health holds the appliance's health status and serves the probes: liveness, readiness and health.
//
// The status is set by others: the appliance sets the phases, workers report under their names. The package monitors
// nothing and imports neither engine nor store.
//
//	/livez   200 {"status":"alive"} as long as the process runs
//	/readyz  200 {"status":"ready"}, or 503 with "starting" or "draining"; "starting" too while the store is not writable
//	/health  200 {"status":"ok","message":…} while the model can decode; 503 {"status":"error","message":…} when it
//	         cannot, or while the store cannot be read
//
// Choices that the contract leaves open: a worker that reports a failure turns readiness to "starting", since the
// supervisor restarts it; /health stays ok then, and while draining, because the model still decodes.
package health

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// HealthPhase is the phase of the appliance's life, as /readyz names it.
type HealthPhase string

// The phases, in this order; each is entered once.
const (
	Starting HealthPhase = "starting"
	Ready    HealthPhase = "ready"
	Draining HealthPhase = "draining"
)

// HealthState is the appliance's health status. It is safe for concurrent use; the zero value is starting.
type HealthState struct {
	mu       sync.RWMutex
	phase    HealthPhase
	broken   string            // why the model can't decode; empty if it can
	storage  string            // why the store is not writable; empty if it is
	away     bool              // the store cannot be read either
	workers  map[string]string // error of each failed worker
	warnings map[string]string // warnings for the operator by subject
}

// SetReady sets the phase to ready: the model is loaded and requests are served. It has no effect after SetDraining.
func (s *HealthState) SetReady() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != Draining {
		s.phase = Ready
	}
}

// SetDraining sets the phase to draining: graceful shutdown, no new work is accepted.
func (s *HealthState) SetDraining() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = Draining
}

// SetBroken reports that the model cannot decode, with a sentence for people; an empty one clears it.
func (s *HealthState) SetBroken(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = message
}

// SetWarning sets the warning on a subject that [HealthState.CanDecode] appends to its message; an empty one clears
// it. Readiness is not affected.
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

// SetStorage sets why the store is not writable, as a sentence for people; an empty one clears it. Readiness fails
// meanwhile. away means that the store cannot be read either: then /health fails too.
func (s *HealthState) SetStorage(message string, away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.storage, s.away = message, away && message != ""
}

// ReportWorker records a worker's error, or nil when it runs. The first line of the error is for
// [HealthState.WorkerFaults]; the probes show only names.
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
	s.workers[worker], _, _ = strings.Cut(err.Error(), "\n") // the stack of a panic follows
}

// WorkerFaults returns the failed workers with their errors, for operators.
func (s *HealthState) WorkerFaults() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return maps.Clone(s.workers)
}

// Phase returns the status of /readyz: Ready only if the model decodes, every worker runs and the store is writable.
func (s *HealthState) Phase() HealthPhase {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.phase == Ready && (s.broken != "" || s.storage != "" || len(s.workers) > 0) || s.phase == "" {
		return Starting
	}
	return s.phase
}

// CanDecode reports whether requests can be decoded now, with a message. Failed workers do not affect it.
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
