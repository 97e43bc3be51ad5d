package stt

import (
	"context"
	"time"

	"munadi/appliance/httpserver/multipartform"
)

// SetHeartbeat makes a silent stream's heart beat faster than a test's patience.
func (s *TranscriptionService) SetHeartbeat(every time.Duration) { s.beat = every }

// TranscriptionForm and DebugForm are the forms whose tags the published schema must repeat.
type (
	TranscriptionForm = transcriptionForm
	DebugForm         = debugForm
)

// OpenAIRules are the changes of the form's tags below OpenAIRoot.
func (s *TranscriptionService) OpenAIRules() map[string]multipartform.FieldRule {
	return s.formRules(openAIFace)
}

// SweepJobs forgets old jobs now.
func (s *TranscriptionService) SweepJobs(ctx context.Context) error { return s.sweepJobs(ctx) }

// Size and Length are how a refusal names a limit.
var Size, Length = formatSize, formatLength
