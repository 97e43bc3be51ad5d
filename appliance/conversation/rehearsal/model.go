package rehearsal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/llm"
)

// maxReply is the maximum length of a remembered reply in bytes; a longer reply is a failure.
const maxReply = 8 << 10

// errFailedBefore is the error of a reply that failed in an earlier run.
var errFailedBefore = errors.New("the language model gave no answer before")

// rememberedModel replays the replies of earlier runs, in order, and asks the model for further ones. A reply that
// failed is remembered as empty, so that the next run is the same up to that reply.
type rememberedModel struct {
	chat conversation.ChatModel // nil: there is none

	mu      sync.Mutex
	replies []string
	used    int
	state   string
}

func newRememberedModel(chat conversation.ChatModel, replies []string) *rememberedModel {
	return &rememberedModel{chat: chat, replies: slices.Clone(replies[:min(len(replies), MaxAnswers)])}
}

// Reply implements [conversation.ChatModel].
func (m *rememberedModel) Reply(
	ctx context.Context, r llm.ChatRequest, onText func(piece string) error,
) (string, error) {
	known, index, found := m.takeReply()
	switch {
	case found && known == "":
		return "", errFailedBefore
	case found:
		return known, onText(known)
	case m.chat == nil || index >= MaxAnswers:
		m.forgetReply(index)
		return "", llm.ErrNoEndpoint
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
		m.forgetReply(index)
	case stopped:
		m.keepReply(index, said.String())
	case err == nil:
		m.keepReply(index, reply)
	}
	return reply, err
}

// takeReply returns the next reply, if there is one, and reserves its place otherwise.
func (m *rememberedModel) takeReply() (reply string, index int, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	index = m.used
	if m.used++; index < len(m.replies) {
		m.noteState(m.replies[index])
		return m.replies[index], index, true
	}
	m.replies, m.state = append(m.replies, ""), ModelFailed
	return "", index, false
}

func (m *rememberedModel) keepReply(index int, reply string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(reply) <= maxReply {
		m.replies[index] = reply
		m.noteState(reply)
	}
}

// forgetReply handles an endpoint that does not exist: the next run asks again.
func (m *rememberedModel) forgetReply(index int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replies, m.used, m.state = m.replies[:index], index, ModelMissing
}

func (m *rememberedModel) noteState(reply string) {
	if m.state = ModelAsked; reply == "" {
		m.state = ModelFailed
	}
}

// usedReplies returns the model's replies that the run used, and the model's last state.
func (m *rememberedModel) usedReplies() ([]string, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.replies[:m.used]), m.state
}
