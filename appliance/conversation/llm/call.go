package llm

import (
	"encoding/json"
	"fmt"
)

// Limits of the calls of one answer.
const (
	maxCalls     = 4
	maxArguments = 16 << 10 // bytes of one call
)

// ToolDeclaration is a tool that the model may call.
type ToolDeclaration struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema of an object
}

// MarshalJSON implements [json.Marshaler] in the form of OpenAI's API.
func (t ToolDeclaration) MarshalJSON() ([]byte, error) {
	function := map[string]any{"name": t.Name, "parameters": t.Parameters}
	if t.Description != "" {
		function["description"] = t.Description
	}
	return json.Marshal(map[string]any{"type": "function", "function": function})
}

// ToolCall is a call of a tool. Arguments are JSON, as the model wrote them.
type ToolCall struct{ ID, Name, Arguments string }

// MarshalJSON implements [json.Marshaler] in the form of OpenAI's API.
func (c ToolCall) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{
		"id": c.ID, "type": "function", "function": map[string]string{"name": c.Name, "arguments": c.Arguments},
	})
}

// callDelta is a piece of a call: its id and name come with the first piece, its arguments in several. Some servers
// leave the index out, and send each call whole.
type callDelta struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string; an object from some servers
	} `json:"function"`
}

// addCall adds a piece to the call of its index, or begins a call.
func (b *replyBuilder) addCall(d callDelta) error {
	at := len(b.calls) - 1
	switch {
	case d.Index != nil && *d.Index >= 0 && *d.Index < len(b.calls) && (d.ID == "" || d.ID == b.calls[*d.Index].ID):
		at = *d.Index
	case d.Function.Name == "" && d.ID == "" && at >= 0 && d.Index == nil:
	default:
		if len(b.calls) == maxCalls {
			return fmt.Errorf("the model called more than %d tools at once", maxCalls)
		}
		b.calls = append(b.calls, ToolCall{ID: d.ID})
		at = len(b.calls) - 1
	}
	call := &b.calls[at]
	call.Name += d.Function.Name
	var text string
	if json.Unmarshal(d.Function.Arguments, &text) != nil {
		text = string(d.Function.Arguments)
	}
	if call.Arguments += text; len(call.Arguments) > maxArguments || len(call.Name) > maxArguments {
		return fmt.Errorf("the arguments of a tool that the model called have more than %d bytes", maxArguments)
	}
	return nil
}

// finishReply returns the whole answer. Calls without an id get one.
func (b *replyBuilder) finishReply() (ChatReply, error) {
	for i := range b.calls {
		if b.calls[i].ID == "" {
			b.calls[i].ID = fmt.Sprintf("call_%d", i)
		}
		if b.calls[i].Arguments == "" {
			b.calls[i].Arguments = "{}"
		}
	}
	return ChatReply{Text: b.text.String(), Calls: b.calls, CutOff: b.reason == "length"}, nil
}
