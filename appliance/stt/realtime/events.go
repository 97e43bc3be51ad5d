package realtime

import (
	"encoding/json"

	"munadi/engine"
)

// What a client may send.
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

// parse reads one message.
func parse(message []byte) (clientEvent, *fault) {
	var e clientEvent
	if err := json.Unmarshal(message, &e); err != nil {
		f := decode(message, &struct {
			Type    *string `json:"type"`
			EventID *string `json:"event_id"`
			Audio   *string `json:"audio"`
		}{}, "event")
		if f == nil {
			f = &fault{Code: "invalid_json", Message: "The event is not valid JSON."}
		}
		return clientEvent{}, f.of(e)
	}
	if e.Type == "" {
		return e, absent("type").of(e)
	}
	return e, nil
}

// of names the event that a fault is about.
func (f *fault) of(e clientEvent) *fault {
	if f != nil {
		f.EventID = e.EventID
	}
	return f
}

// What the server sends. Every event has an id of its own and its type.

type head struct {
	EventID string `json:"event_id"`
	Type    string `json:"type"`
}

type sessionEvent struct {
	head
	Session any `json:"session"`
}

type errorEvent struct {
	head
	Error faultBody `json:"error"`
}

type startedEvent struct {
	head
	AudioStartMS int    `json:"audio_start_ms"`
	ItemID       string `json:"item_id"`
}

type stoppedEvent struct {
	head
	AudioEndMS int    `json:"audio_end_ms"`
	ItemID     string `json:"item_id"`
}

type committedEvent struct {
	head
	PreviousItemID *string `json:"previous_item_id"`
	ItemID         string  `json:"item_id"`
}

type itemEvent struct {
	head
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
	head
	ItemID       string    `json:"item_id"`
	ContentIndex int       `json:"content_index"`
	Delta        string    `json:"delta"`
	Logprobs     []Logprob `json:"logprobs,omitempty"`
}

type completedEvent struct {
	head
	ItemID       string    `json:"item_id"`
	ContentIndex int       `json:"content_index"`
	Transcript   string    `json:"transcript"`
	Usage        usage     `json:"usage"`
	Logprobs     []Logprob `json:"logprobs,omitempty"`
}

type failedEvent struct {
	head
	ItemID       string    `json:"item_id"`
	ContentIndex int       `json:"content_index"`
	Error        faultBody `json:"error"`
}

// partialEvent is ours: the text so far of the open utterance.
type partialEvent struct {
	head
	ItemID       string `json:"item_id"`
	ContentIndex int    `json:"content_index"`
	Text         string `json:"text"`
}

type usage struct {
	Type    string  `json:"type"`
	Seconds float64 `json:"seconds"`
}

// Logprob is the log probability of a word, in OpenAI's shape of a token's. Token is the word with the space before
// it, so that the joined tokens are the text.
type Logprob struct {
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

// Logprobs are those of words; the first one's token begins with a space if it is not the first of its text.
func Logprobs(words []engine.Word, first bool) []Logprob {
	all := make([]Logprob, 0, len(words))
	for i, w := range words {
		token := w.Text
		if i > 0 || !first {
			token = " " + token
		}
		bytes := make([]int, len(token))
		for i := range len(token) {
			bytes[i] = int(token[i])
		}
		all = append(all, Logprob{Token: token, Logprob: logarithm(w.Confidence), Bytes: bytes})
	}
	return all
}
