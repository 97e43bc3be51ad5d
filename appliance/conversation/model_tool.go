package conversation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/tool"
	"munadi/store/scenario"
)

// maxRounds is how often a model may call tools before it answers.
const maxRounds = 3

// modelEvent is what comes of the model while it is asked, in order: a sentence, a tool that is asked, its answer, or
// what went wrong with it.
type modelEvent struct {
	sentence string
	tool     string // its name
	answer   string
	fault    string
	cause    error // of the fault, for the log; nil: none
}

// modelRounds asks the model for one answer, and the tools that it calls. It runs beside the line and shares nothing
// with it but its events and the count of idempotency keys.
type modelRounds struct {
	chat    ChatModel
	tools   ToolCaller
	request llm.ChatRequest
	step    scenario.FlowStep
	values  map[string]any // that the scenario sends to tools
	newKey  func() string  // makes the idempotency key of a request to a tool
	events  chan modelEvent
}

// newModelRounds takes what the model is asked and what tools get as they are now.
func (s *conversationSession) newModelRounds(step scenario.FlowStep, begun int) *modelRounds {
	r := &modelRounds{
		chat: s.Chat, tools: s.Tools, step: step, values: map[string]any{}, events: make(chan modelEvent, 16),
		newKey: func() string { return s.newToolKey(step.ID) },
		request: llm.ChatRequest{
			OrgID: s.OrgID, Endpoint: s.Scenario.LLM.Endpoint, Messages: s.messagesForModel(step, begun),
		},
	}
	for _, t := range step.Tools {
		own, given := step.ToolArguments(t)
		for _, name := range given {
			r.values[name] = s.slotValue(name)
		}
		r.request.Tools = append(r.request.Tools, llm.ToolDeclaration{
			Name: t.FunctionName(), Description: t.Description, Parameters: scenario.SlotsSchema(s.Scenario, own),
		})
	}
	return r
}

// runRounds asks until the model answers without calling a tool, and reports whether it ended the conversation.
func (r *modelRounds) runRounds(ctx context.Context) (ended bool, err error) {
	for round := 0; ; round++ {
		split := sentenceSplitter{send: func(sentence string) error {
			return r.sendEvent(ctx, modelEvent{sentence: sentence})
		}}
		r.request.NoCalls = len(r.request.Tools) > 0 && round == maxRounds
		reply, err := r.chat.Reply(ctx, r.request, split.addPiece)
		if err != nil && !errors.Is(err, errAnswerTooLong) {
			return false, err
		}
		if reply.CutOff {
			split.rest = ""
		}
		if err := split.flushRest(); err != nil || split.ended || len(reply.Calls) == 0 {
			return split.ended, err
		}
		if len(r.request.Tools) == 0 || round == maxRounds {
			return false, r.sendEvent(ctx, modelEvent{fault: fmt.Sprintf(
				"The language model went on calling tools in %s and was not answered.", r.step.ID)})
		}
		if err := r.answerCalls(ctx, reply); err != nil {
			return false, err
		}
	}
}

// answerCalls asks the tools that the model calls, one after another, and adds their answers to the conversation.
func (r *modelRounds) answerCalls(ctx context.Context, reply llm.ChatReply) error {
	r.request.Messages = append(slices.Clone(r.request.Messages),
		llm.ChatMessage{Role: "assistant", Content: reply.Text, Calls: reply.Calls})
	for _, c := range reply.Calls {
		answer, err := r.answerCall(ctx, c)
		if err != nil {
			return err
		}
		r.request.Messages = append(r.request.Messages, llm.ChatMessage{Role: "tool", Content: answer, CallID: c.ID})
	}
	return nil
}

// answerCall returns what the model is told about one call: the tool's answer, or that there is none. Its error is that
// of a context that ended.
func (r *modelRounds) answerCall(ctx context.Context, c llm.ToolCall) (string, error) {
	i := slices.IndexFunc(r.step.Tools, func(t scenario.ModelTool) bool { return t.FunctionName() == c.Name })
	if i < 0 {
		return r.refuseCall(ctx, "there is no tool of this name",
			fmt.Sprintf("The language model called a tool that %s does not have: %s",
				r.step.ID, clipText(plainText(c.Name), 100)))
	}
	t := r.step.Tools[i]
	values, wrong := r.argumentsOf(ctx, t, c)
	if wrong != "" {
		return r.refuseCall(ctx, "the argument "+wrong+" is not of its type", fmt.Sprintf(
			"The language model called the tool %s with a value for %s that is not of its type.", t.Tool, wrong))
	}
	if err := r.sendEvent(ctx, modelEvent{tool: t.Tool}); err != nil {
		return "", err
	}
	answer, err := "", tool.ErrNoTool
	if r.tools != nil {
		request := tool.Request{OrgID: r.request.OrgID, Tool: t.Tool, Values: values, Key: r.newKey()}
		answer, err = r.tools.CallTool(ctx, request)
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		told := jsonText(map[string]string{"error": "the tool gave no answer"})
		return told, r.sendEvent(ctx, modelEvent{
			fault: toolFault(t.Tool, err), cause: err,
		})
	}
	return answer, r.sendEvent(ctx, modelEvent{answer: answer})
}

// refuseCall tells the model why a call has no answer, and the call's errors the same.
func (r *modelRounds) refuseCall(ctx context.Context, why, fault string) (string, error) {
	return jsonText(map[string]string{"error": why}), r.sendEvent(ctx, modelEvent{fault: fault})
}

// argumentsOf returns the values that a tool gets: those that the scenario sends, and the model's for the step's slots.
// wrong names a slot whose value is not of its type.
func (r *modelRounds) argumentsOf(
	ctx context.Context, t scenario.ModelTool, c llm.ToolCall,
) (_ map[string]any, wrong string) {
	var given map[string]any
	if json.Unmarshal([]byte(c.Arguments), &given) != nil {
		given = nil
	}
	own, sent := r.step.ToolArguments(t)
	values := map[string]any{}
	for _, name := range sent {
		values[name] = r.values[name]
	}
	for _, slot := range own {
		value := given[slot.Name]
		if value != nil && !scenario.ValidSlotValue(ctx, slot, value) {
			return nil, slot.Name
		}
		values[slot.Name] = value
	}
	return values, ""
}

func (r *modelRounds) sendEvent(ctx context.Context, e modelEvent) error {
	select {
	case r.events <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
