package realtime

import (
	"encoding/json"

	"munadi/engine"
)

// Client events.
const (
	clientBetaUpdate = "transcription_session.update"
	clientUpdate     = "session.update"
	clientAppend     = "input_audio_buffer.append"
	clientCommit     = "input_audio_buffer.commit"
	clientClear      = "input_audio_buffer.clear"
)

// clientEvent is one event of the client.
type clientEvent struct {
	Type    string          `json:"type"`
	EventID *string         `json:"event_id"`
	Session json.RawMessage `json:"session"`
	Audio   *string         `json:"audio"`
}

// parseEvent parses one message.
func parseEvent(message []byte) (clientEvent, *protocolError) {
	var e clientEvent
	if err := json.Unmarshal(message, &e); err != nil {
		f := decodeParam(message, &struct {
			Type    *string `json:"type"`
			EventID *string `json:"event_id"`
			Audio   *string `json:"audio"`
		}{}, "event")
		if f == nil {
			f = &protocolError{Code: "invalid_json", Message: "The event is not valid JSON."}
		}
		return clientEvent{}, f.withEvent(e)
	}
	if e.Type == "" {
		return e, newMissingParam("type").withEvent(e)
	}
	return e, nil
}

// withEvent sets the event that an error refers to.
func (f *protocolError) withEvent(e clientEvent) *protocolError {
	if f != nil {
		f.EventID = e.EventID
	}
	return f
}

// Server events. Each has an event_id and a type.

type eventHeader struct {
	EventID string `json:"event_id"`
	Type    string `json:"type"`
}

type sessionEvent struct {
	eventHeader
	Session any `json:"session"`
}

type errorEvent struct {
	eventHeader
	Error faultBody `json:"error"`
}

type startedEvent struct {
	eventHeader
	AudioStartMS int    `json:"audio_start_ms"`
	ItemID       string `json:"item_id"`
}

type stoppedEvent struct {
	eventHeader
	AudioEndMS int    `json:"audio_end_ms"`
	ItemID     string `json:"item_id"`
}

type committedEvent struct {
	eventHeader
	PreviousItemID *string `json:"previous_item_id"`
	ItemID         string  `json:"item_id"`
}

type itemEvent struct {
	eventHeader
	PreviousItemID *string  `json:"previous_item_id"`
	Item           itemBody `json:"item"`
}

type itemBody struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Type    string        `json:"type"`
	Status  string        `json:"status"`
	Role    string        `json:"role"`
	Content []contentBody `json:"content"`
}

type contentBody struct {
	Type       string  `json:"type"`
	Transcript *string `json:"transcript"`
}

type deltaEvent struct {
	eventHeader
	ItemID       string        `json:"item_id"`
	ContentIndex int           `json:"content_index"`
	Delta        string        `json:"delta"`
	Logprobs     []WordLogprob `json:"logprobs,omitempty"`
}

type completedEvent struct {
	eventHeader
	ItemID       string        `json:"item_id"`
	ContentIndex int           `json:"content_index"`
	Transcript   string        `json:"transcript"`
	Usage        usageBody     `json:"usage"`
	Logprobs     []WordLogprob `json:"logprobs,omitempty"`
}

type failedEvent struct {
	eventHeader
	ItemID       string    `json:"item_id"`
	ContentIndex int       `json:"content_index"`
	Error        faultBody `json:"error"`
}

// partialEvent is an extension: the partial transcript of the open utterance.
type partialEvent struct {
	eventHeader
	ItemID       string `json:"item_id"`
	ContentIndex int    `json:"content_index"`
	Text         string `json:"text"`
}

type usageBody struct {
	Type    string  `json:"type"`
	Seconds float64 `json:"seconds"`
}

// WordLogprob is a word's log-probability, in OpenAI's shape of a token's. Token is the word with the preceding space,
// so that the joined tokens are the text.
type WordLogprob struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

const transcription = "conversation.item.input_audio_transcription."

func userItem(id string, transcript *string) itemBody {
	return itemBody{
		ID: id, Object: "realtime.item", Type: "message", Status: "completed", Role: "user",
		Content: []contentBody{{Type: "input_audio", Transcript: transcript}},
	}
}

// WordLogprobs returns those of words; the first token begins with a space unless it is the first of its text.
func WordLogprobs(words []engine.Word, first bool) []WordLogprob {
	all := make([]WordLogprob, 0, len(words))
	for i, w := range words {
		token := w.Text
		if i > 0 || !first {
			token = " " + token
		}
		bytes := make([]int, len(token))
		for i := range len(token) {
			bytes[i] = int(token[i])
		}
		all = append(all, WordLogprob{Token: token, Logprob: safeLog(w.Confidence), Bytes: bytes})
	}
	return all
}
