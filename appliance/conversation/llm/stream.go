package llm

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"munadi/appliance/endpoint"
)

const (
	maxAnswer = 1 << 20   // bytes of a body
	maxLine   = 256 << 10 // bytes of one event
)

// errAnswerTooLong stops an answer that is too long.
var errAnswerTooLong = endpoint.AnswerError{
	Who: theEndpoint, What: fmt.Sprintf("answered more than %d bytes", maxAnswer),
}

var (
	// errBrokeOff is the error of a stream that ended in the middle.
	errBrokeOff = endpoint.AnswerError{Who: theEndpoint, What: "broke off its answer"}
	errNoJSON   = endpoint.AnswerError{Who: theEndpoint, What: "answered no JSON"}
)

const theEndpoint = "the model's endpoint"

// answerChunk is the payload of a stream's event, or of a whole answer.
type answerChunk struct {
	Choices []struct {
		Delta   answerContent `json:"delta"`
		Message answerContent `json:"message"`
		Reason  string        `json:"finish_reason"`
	} `json:"choices"`
	Error json.RawMessage `json:"error"`
}

type answerContent struct {
	Content string      `json:"content"`
	Calls   []callDelta `json:"tool_calls"`
}

// readStream reads server-sent events, the last of which is [DONE], and returns what they hold joined. A stream that
// ends without [DONE] counts as whole if it had a finish_reason, or hasEnd: its body shows where it ends.
func readStream(body io.Reader, hasEnd bool, onText func(string) error) (ChatReply, error) {
	limited := &io.LimitedReader{R: body, N: maxAnswer}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	var whole replyBuilder
	events := 0
	for lines.Scan() {
		data, found := strings.CutPrefix(strings.TrimSpace(lines.Text()), "data:")
		if !found {
			continue // a comment, an event's name, or the line between two events
		}
		events++
		data = strings.TrimSpace(data)
		if data == "[DONE]" {
			return whole.finishReply()
		}
		piece, err := whole.addChunk([]byte(data))
		if err != nil {
			return whole.partialReply(), cmp.Or(lines.Err(), err) // an event that was cut off is no JSON either
		}
		if err := onText(piece); err != nil {
			return whole.partialReply(), err
		}
	}
	if limited.N <= 0 {
		return whole.partialReply(), errAnswerTooLong
	}
	if err := lines.Err(); err != nil {
		return whole.partialReply(), err
	}
	if events == 0 {
		return ChatReply{}, errNoJSON // HTML, for example
	}
	if !hasEnd && whole.reason == "" {
		return whole.partialReply(), errBrokeOff
	}
	return whole.finishReply()
}

// readWhole reads the answer of a server that does not stream.
func readWhole(body io.Reader, onText func(string) error) (ChatReply, error) {
	data, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	if err != nil {
		return ChatReply{}, err
	}
	if len(data) > maxAnswer {
		return ChatReply{}, errAnswerTooLong
	}
	var whole replyBuilder
	text, err := whole.addChunk(data)
	if err != nil {
		return ChatReply{}, err
	}
	if err := onText(text); err != nil {
		return whole.partialReply(), err
	}
	return whole.finishReply()
}

// replyBuilder joins the chunks of an answer.
type replyBuilder struct {
	text   strings.Builder
	calls  []ToolCall
	reason string // why it ended
}

// addChunk adds an event or a whole answer, and returns its text.
func (b *replyBuilder) addChunk(data []byte) (string, error) {
	var c answerChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return "", fmt.Errorf("%w: %w", errNoJSON, err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return "", endpoint.AnswerError{Who: theEndpoint, What: "ended its answer with an error"}
	}
	if len(c.Choices) == 0 {
		return "", nil // usage, for example
	}
	choice := c.Choices[0]
	b.reason = cmp.Or(choice.Reason, b.reason)
	for _, d := range append(choice.Delta.Calls, choice.Message.Calls...) {
		if err := b.addCall(d); err != nil {
			return "", err
		}
	}
	text := choice.Delta.Content + choice.Message.Content
	b.text.WriteString(text)
	return text, nil
}

func (b *replyBuilder) partialReply() ChatReply { return ChatReply{Text: b.text.String()} }
