package apimodel

import (
	"munadi/store/call"
	"munadi/store/jsontext"
)

// TraceBody is the line trace of a call.
type TraceBody struct {
	CallID   string               `json:"call_id"`
	Messages []TraceMessage       `json:"messages"` // the SIP ladder, in order of time
	Omitted  int                  `json:"omitted"`  // messages from its middle that were not kept
	Quality  []call.QualitySample `json:"quality"`
}

// TraceMessage is one message of a SIP ladder.
type TraceMessage struct {
	At        string   `json:"at"`
	Leg       int      `json:"leg"`       // 0: the person's; from 1: to members of staff, in the order of their calls
	Direction string   `json:"direction"` // sent or received
	Peer      string   `json:"peer"`
	StartLine string   `json:"start_line"`
	Headers   []string `json:"headers"`
	SDP       []string `json:"sdp"`
	Repeats   int      `json:"repeats"`
	Truncated bool     `json:"truncated"`
}

// TraceOf returns the body of a call's line trace.
func TraceOf(id string, t call.LineTrace) TraceBody {
	body := TraceBody{CallID: id, Messages: []TraceMessage{}, Omitted: t.Omitted, Quality: []call.QualitySample{}}
	for _, m := range t.Messages {
		direction := "received"
		if m.Sent {
			direction = "sent"
		}
		body.Messages = append(body.Messages, TraceMessage{
			At: jsontext.FormatTime(m.At), Leg: m.Leg, Direction: direction, Peer: m.Peer, StartLine: m.Line,
			Headers: append([]string{}, m.Headers...), SDP: append([]string{}, m.SDP...), Repeats: m.Repeats, Truncated: m.Cut,
		})
	}
	body.Quality = append(body.Quality, t.Quality...)
	return body
}
