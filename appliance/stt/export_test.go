package stt

import (
	"context"
	"time"
)

// SetHeartbeat makes a silent stream's heart beat faster than a test's patience.
func (s *TranscriptionService) SetHeartbeat(every time.Duration) { s.beat = every }

// TranscriptionForm and DebugForm are the forms whose tags the published schema must repeat.
type (
	TranscriptionForm = transcriptionForm
	DebugForm         = debugForm
)

// SweepJobs forgets old jobs now.
func (s *TranscriptionService) SweepJobs(ctx context.Context) error { return s.sweepJobs(ctx) }

// Size and Length are how a refusal names a limit.
var Size, Length = formatSize, formatLength
