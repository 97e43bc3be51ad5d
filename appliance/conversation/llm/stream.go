package llm

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxAnswer = 1 << 20   // bytes of a body
	maxLine   = 256 << 10 // bytes of one event
)

// errAnswerTooLong stops an answer that is too long.
var errAnswerTooLong = fmt.Errorf("the model's endpoint answered more than %d bytes", maxAnswer)

// answerChunk is the payload of a stream's event, or of a whole answer.
type answerChunk struct {
	Choices []struct {
		Delta   answerContent `json:"delta"`
		Message answerContent `json:"message"`
	} `json:"choices"`
	Error json.RawMessage `json:"error"`
}

type answerContent struct {
	Content string `json:"content"`
}

// readStream reads server-sent events, the last of which is [DONE], and returns their text joined. A stream that ends
// without [DONE] counts as whole if the connection was closed in order.
func readStream(body io.Reader, onText func(string) error) (string, error) {
	limited := &io.LimitedReader{R: body, N: maxAnswer}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	var whole strings.Builder
	for lines.Scan() {
		data, found := strings.CutPrefix(strings.TrimSpace(lines.Text()), "data:")
		if !found {
			continue // a comment, an event's name, or the line between two events
		}
		data = strings.TrimSpace(data)
		if data == "[DONE]" {
			return whole.String(), nil
		}
		piece, err := readChunk([]byte(data))
		if err != nil {
			return whole.String(), cmp.Or(lines.Err(), err) // an event that was cut off is no JSON either
		}
		whole.WriteString(piece)
		if err := onText(piece); err != nil {
			return whole.String(), err
		}
	}
	if limited.N <= 0 {
		return whole.String(), errAnswerTooLong
	}
	return whole.String(), lines.Err()
}

// readWhole reads the answer of a server that does not stream.
func readWhole(body io.Reader, onText func(string) error) (string, error) {
	data, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	if err != nil {
		return "", err
	}
	if len(data) > maxAnswer {
		return "", errAnswerTooLong
	}
	text, err := readChunk(data)
	if err != nil {
		return "", err
	}
	return text, onText(text)
}

// readChunk is the text of an event or of a whole answer.
func readChunk(data []byte) (string, error) {
	var c answerChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return "", fmt.Errorf("the model's endpoint answered no JSON: %w", err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return "", errors.New("the model's endpoint ended its answer with an error")
	}
	if len(c.Choices) == 0 {
		return "", nil // usage, for example
	}
	return c.Choices[0].Delta.Content + c.Choices[0].Message.Content, nil
}
