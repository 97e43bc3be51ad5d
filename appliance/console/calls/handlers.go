// Package calls is the console's sections of calls: the list, one call, booking, the wall.
package calls

import (
	"context"
	"encoding/json"
	"net/http"

	"munadi/appliance/console/kit"
	"munadi/appliance/ssehub"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	// Recordings have the waveforms of calls; Sound is the hub of running calls' audio.
	Recordings WaveformStore
	Sound      *ssehub.SoundHub
	// TakeOver gives the platform's side of a running call to a browser; nil: it cannot be taken over.
	TakeOver func(w http.ResponseWriter, r *http.Request, q kit.TakeOverRequest) error
	// LatestEvents returns the latest events of topics that other appliances publish, oldest first; nil: there are none.
	LatestEvents func(
		ctx context.Context, topics []ssehub.EventTopic, kind string, n int,
	) map[ssehub.EventTopic][]json.RawMessage
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}
