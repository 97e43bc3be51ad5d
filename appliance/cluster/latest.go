package cluster

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/google/uuid"

	"munadi/appliance/ssehub"
)

// Kinds of messages about the latest events of topics.
const (
	latestKind = "latest" // latestQuestion
	answerKind = "answer" // latestAnswer
)

const (
	latestWait   = 700 * time.Millisecond // for the answers of all appliances
	mostAsked    = 200                    // topics of a question
	mostLatest   = 10                     // events of a topic in an answer
	mostAnswered = 64                     // answers of a question that wait
)

// latestQuestion asks the appliances that publish topics for their latest events of a kind.
type latestQuestion struct {
	ID     string        `json:"id"`
	Topics []wantedEntry `json:"topics"`
	Kind   string        `json:"kind"`
	Count  int           `json:"count"`
}

// latestAnswer is the latest events of the topics that an appliance publishes, oldest first.
type latestAnswer struct {
	ID     string         `json:"id"`
	Topics []latestEvents `json:"topics"`
}

type latestEvents struct {
	OrgID  string            `json:"org"`
	Name   string            `json:"name"`
	Events []json.RawMessage `json:"events"`
}

// EventQuery finds the latest events of topics that other appliances publish. It is safe for concurrent use.
type EventQuery struct {
	messenger *Messenger
	events    *ssehub.EventHub

	mu      sync.Mutex
	waiting map[string]chan latestAnswer // by question
}

// NewQuery returns a query, and answers those of others.
func NewQuery(m *Messenger, events *ssehub.EventHub) *EventQuery {
	q := &EventQuery{messenger: m, events: events, waiting: map[string]chan latestAnswer{}}
	handleKind(m, latestKind, q.answerQuestion)
	handleKind(m, answerKind, q.receiveAnswer)
	return q
}

// LatestEvents returns the data of the latest events of a kind of topics that other appliances publish, oldest first,
// at most n of each. It waits until all topics are found, or a moment: a topic of an appliance that does not answer is
// missing.
func (q *EventQuery) LatestEvents(
	ctx context.Context, topics []ssehub.EventTopic, kind string, n int,
) map[ssehub.EventTopic][]json.RawMessage {
	found := map[ssehub.EventTopic][]json.RawMessage{}
	if len(topics) == 0 {
		return found
	}
	question := latestQuestion{ID: uuid.NewString(), Kind: kind, Count: n}
	for _, at := range topics[:min(len(topics), mostAsked)] {
		question.Topics = append(question.Topics, wantedEntry{OrgID: at.OrgID, Name: at.Name})
	}
	answers := make(chan latestAnswer, mostAnswered)
	q.mu.Lock()
	q.waiting[question.ID] = answers
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.waiting, question.ID)
	}()
	if !q.messenger.sendKind("", latestKind, question) {
		return found
	}
	wait := time.NewTimer(latestWait)
	defer wait.Stop()
	for len(found) < len(question.Topics) {
		select {
		case answer := <-answers:
			for _, one := range answer.Topics {
				found[ssehub.EventTopic{OrgID: one.OrgID, Name: one.Name}] = one.Events
			}
		case <-wait.C:
			return found
		case <-ctx.Done():
			return found
		}
	}
	return found
}

// answerQuestion answers with the topics that this appliance publishes; without any it does not answer.
func (q *EventQuery) answerQuestion(from string, question latestQuestion) {
	answer := latestAnswer{ID: question.ID}
	for _, entry := range question.Topics[:min(len(question.Topics), mostAsked)] {
		at := entry.eventTopic()
		if !isRelayed(at) || !q.events.IsOwnTopic(at) {
			continue
		}
		one := latestEvents{OrgID: at.OrgID, Name: at.Name}
		for _, data := range q.events.LastEvents(at, question.Kind, min(question.Count, mostLatest)) {
			one.Events = append(one.Events, data)
		}
		answer.Topics = append(answer.Topics, one)
	}
	if len(answer.Topics) > 0 {
		q.messenger.sendKind(from, answerKind, answer)
	}
}

// receiveAnswer hands an answer to the question that waits for it.
func (q *EventQuery) receiveAnswer(_ string, answer latestAnswer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case q.waiting[answer.ID] <- answer:
	default: // the question is over
	}
}
