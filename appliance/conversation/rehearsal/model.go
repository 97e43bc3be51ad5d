package rehearsal

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/tool"
)

// maxReply is the maximum length of a remembered reply in bytes; a longer reply is a failure.
const maxReply = 8 << 10

// errFailedBefore is the error of a reply that failed in an earlier run.
var errFailedBefore = errors.New("there was no answer before")

// rememberedReplies replays the replies of the language model and of tools in earlier runs, in order, and asks for
// further ones. A reply that failed is remembered as empty, so that the next run is the same up to that reply.
type rememberedReplies struct {
	chat  conversation.ChatModel  // nil: there is none
	tools conversation.ToolCaller // nil: there are none

	mu      sync.Mutex
	replies []string
	used    int
	state   string
}

func newRememberedReplies(d Dependencies, replies []string) *rememberedReplies {
	return &rememberedReplies{chat: d.Chat, tools: d.Tools, replies: slices.Clone(replies[:min(len(replies), MaxAnswers)])}
}

// CallTool implements [conversation.ToolCaller].
func (m *rememberedReplies) CallTool(ctx context.Context, r tool.Request) (string, error) {
	known, index, found := m.takeReply()
	switch {
	case found && known == "":
		return "", errFailedBefore
	case found:
		return known, nil
	case m.tools == nil || index >= MaxAnswers:
		m.forgetReply(index)
		return "", tool.ErrNoTool
	}
	answer, err := m.tools.CallTool(ctx, r)
	switch {
	case errors.Is(err, tool.ErrNoTool):
		m.forgetReply(index)
	case err == nil:
		m.keepReply(index, answer)
	}
	return answer, err
}

// Reply implements [conversation.ChatModel].
func (m *rememberedReplies) Reply(
	ctx context.Context, r llm.ChatRequest, onText func(piece string) error,
) (llm.ChatReply, error) {
	known, index, found := m.takeReply()
	m.noteState(known)
	switch {
	case found && known == "":
		return llm.ChatReply{}, errFailedBefore
	case found:
		reply := decodeReply(known)
		return reply, onText(reply.Text)
	case m.chat == nil || index >= MaxAnswers:
		m.forgetModel(index)
		return llm.ChatReply{}, llm.ErrNoEndpoint
	}
	var said strings.Builder
	stopped := false // by the conversation, which has heard enough
	reply, err := m.chat.Reply(ctx, r, func(piece string) error {
		said.WriteString(piece)
		err := onText(piece)
		stopped = err != nil
		return err
	})
	switch {
	case errors.Is(err, llm.ErrNoEndpoint):
		m.forgetModel(index)
	case stopped:
		m.keepReply(index, said.String())
		m.noteState(said.String())
	case err == nil:
		m.keepReply(index, encodeReply(reply))
		m.noteState(encodeReply(reply))
	}
	return reply, err
}

// callsMark begins a remembered reply that calls tools: JSON follows.
const callsMark = "tool_calls:"

// plainCall is a call in JSON.
type plainCall llm.ToolCall

// rememberedCalls is a reply that calls tools.
type rememberedCalls struct {
	Text  string
	Calls []plainCall
}

// encodeReply returns a reply as text: its words, or JSON if it calls tools.
func encodeReply(r llm.ChatReply) string {
	if len(r.Calls) == 0 {
		return r.Text
	}
	kept := rememberedCalls{Text: r.Text}
	for _, c := range r.Calls {
		kept.Calls = append(kept.Calls, plainCall(c))
	}
	data, err := json.Marshal(kept)
	if err != nil { // strings can be written
		return ""
	}
	return callsMark + string(data)
}

func decodeReply(text string) llm.ChatReply {
	data, calls := strings.CutPrefix(text, callsMark)
	var r rememberedCalls
	if !calls || json.Unmarshal([]byte(data), &r) != nil {
		return llm.ChatReply{Text: text}
	}
	reply := llm.ChatReply{Text: r.Text}
	for _, c := range r.Calls {
		reply.Calls = append(reply.Calls, llm.ToolCall(c))
	}
	return reply
}

// takeReply returns the next reply, if there is one, and reserves its place otherwise.
func (m *rememberedReplies) takeReply() (reply string, index int, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	index = m.used
	if m.used++; index < len(m.replies) {
		return m.replies[index], index, true
	}
	m.replies = append(m.replies, "")
	return "", index, false
}

func (m *rememberedReplies) keepReply(index int, reply string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(reply) <= maxReply {
		m.replies[index] = reply
	}
}

// forgetReply handles an endpoint that does not exist: the next run asks again.
func (m *rememberedReplies) forgetReply(index int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replies, m.used = m.replies[:index], index
}

// forgetModel does so for the language model.
func (m *rememberedReplies) forgetModel(index int) {
	m.forgetReply(index)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = ModelMissing
}

func (m *rememberedReplies) noteState(reply string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state = ModelAsked; reply == "" {
		m.state = ModelFailed
	}
}

// usedReplies returns the model's replies that the run used, and the model's last state.
func (m *rememberedReplies) usedReplies() ([]string, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.replies[:m.used]), m.state
}
