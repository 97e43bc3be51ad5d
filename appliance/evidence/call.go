package evidence

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// callKind is the kind of file of the evidence of a call, and of its signature.
const callKind = "munadi call evidence"

// CallMediaType is the media type of the evidence of a call.
const CallMediaType = "application/vnd.munadi.evidence+json"

// WriteFile writes the evidence as a file, indented for people.
func (e CallEvidence) WriteFile(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	if err := out.Encode(e); err != nil {
		return fmt.Errorf("write the evidence: %w", err)
	}
	return nil
}

// CallReader is the part of the store that the evidence of a call reads.
type CallReader interface {
	AuditReader
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	CallTimeline(ctx context.Context, orgID, id string) ([]call.TimelineEntry, error)
	FindKeptRules(ctx context.Context, orgID, sum string) (callrules.CallRules, error)
	FindScenarioVersion(ctx context.Context, orgID, id string, number int) (scenario.ScenarioVersion, error)
}

// CallEvidence is the evidence of a call. The signature covers Head; its sums cover the parts.
type CallEvidence struct {
	EvidenceHead
	Parts     map[string]json.RawMessage `json:"parts"`
	Signature []byte                     `json:"signature"`
}

// EvidenceHead is what is signed, as compact JSON.
type EvidenceHead struct {
	Kind         string            `json:"file"`
	Version      int               `json:"version"`
	Organization string            `json:"organization"`
	CallID       string            `json:"call_id"`
	MadeAt       time.Time         `json:"made_at"`
	Key          string            `json:"key"`  // the public key that signs it
	Sums         map[string]string `json:"sums"` // of each part: SHA-256 in hexadecimal of its compact JSON
}

// fact is a part of the evidence that may not be known: what is not known says why.
type fact[T any] struct {
	Known   bool   `json:"known"`
	Unknown string `json:"unknown,omitempty"` // why
	Is      *T     `json:"is,omitempty"`
}

func knownFact[T any](is T) fact[T] { return fact[T]{Known: true, Is: &is} }

func unknownFact[T any](why string) fact[T] { return fact[T]{Unknown: why} }

// MakeCallEvidence gathers and signs what is known of a call. CodeNotFound without it.
func MakeCallEvidence(
	ctx context.Context, s CallReader, key SigningKey, orgID, id string, now time.Time,
) (CallEvidence, error) {
	c, err := s.FindCall(ctx, orgID, id)
	if err != nil {
		return CallEvidence{}, err
	}
	e := CallEvidence{Parts: map[string]json.RawMessage{}, EvidenceHead: EvidenceHead{
		Kind: callKind, Version: 1, Organization: orgID, CallID: id, MadeAt: now.UTC(), Key: key.PublicKey(),
		Sums: map[string]string{},
	}}
	parts, err := gatherParts(ctx, s, c)
	if err != nil {
		return CallEvidence{}, err
	}
	for name, part := range parts {
		text, err := json.Marshal(part)
		if err != nil {
			return CallEvidence{}, fmt.Errorf("evidence of %s: %w", name, err)
		}
		e.Parts[name], e.Sums[name] = text, sumOf(text)
	}
	head, err := json.Marshal(e.EvidenceHead)
	if err != nil {
		return CallEvidence{}, fmt.Errorf("evidence of a call: %w", err)
	}
	e.Signature = key.sign(callKind, head)
	return e, nil
}

// sumOf returns the SHA-256 of compact JSON in hexadecimal.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// gatherParts returns the parts by name.
func gatherParts(ctx context.Context, s CallReader, c call.Call) (map[string]any, error) {
	ctx, damage := store.CollectDamage(ctx)
	timeline, err := s.CallTimeline(ctx, c.OrgID, c.ID)
	if err != nil && !store.IsUnreadable(err) {
		return nil, err
	}
	trail, err := auditOf(ctx, s, c)
	if err != nil {
		return nil, err
	}
	rules, err := rulesOf(ctx, s, c)
	if err != nil {
		return nil, err
	}
	hours, err := scenarioHours(ctx, s, c)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"call": callPart(c), "timeline": timeline, "audit": trail, "rules": rules, "consent_basis": consentOf(rules),
		"hour": hourOf(rules, hours), "suppression": suppressionOf(c), "disclosure": disclosureOf(c, rules),
		"transcript": transcriptOf(c), "recording": recordingOf(c),
		"incomplete": append([]string{}, damage.Warnings()...),
	}, nil
}

// callFacts are the call's own facts, without words.
type callFacts struct {
	ID              string              `json:"id"`
	Direction       call.CallDirection  `json:"direction"`
	PhoneNumber     string              `json:"phone_number"` // empty once erased
	CallerNumber    string              `json:"caller_number,omitempty"`
	ScenarioID      string              `json:"scenario_id"`
	ScenarioVersion int                 `json:"scenario_version,omitempty"`
	CampaignID      string              `json:"campaign_id,omitempty"`
	Attempt         int                 `json:"attempt_number"`
	Booking         call.BookingOutcome `json:"booking_outcome"`
	Status          call.CallStatus     `json:"status"`
	CreatedAt       time.Time           `json:"created_at"`
	ScheduledAt     time.Time           `json:"scheduled_at"`
	ReleasedAt      *time.Time          `json:"released_at"`
	StartedAt       *time.Time          `json:"started_at"`
	EndedAt         *time.Time          `json:"ended_at"`
	EndedBy         call.EndedBy        `json:"ended_by,omitempty"`
	Failure         *call.CallFailure   `json:"failure"`
	ErasedAt        *time.Time          `json:"erased_at"`
}

func callPart(c call.Call) callFacts {
	return callFacts{
		ID: c.ID, Direction: c.Way(), PhoneNumber: c.PhoneNumber, CallerNumber: cmp.Or(c.ShownNumber, c.CallerNumber),
		ScenarioID:      c.ScenarioID,
		ScenarioVersion: c.ScenarioVersion, CampaignID: c.CampaignID, Attempt: c.Attempt.Number, Booking: c.Booking,
		Status: c.Status, CreatedAt: c.CreatedAt, ScheduledAt: c.ScheduledAt, ReleasedAt: c.ReleasedAt,
		StartedAt: c.StartedAt, EndedAt: c.EndedAt, EndedBy: c.EndedBy, Failure: c.Failure, ErasedAt: c.ErasedAt,
	}
}

// auditOf returns the audit entries of the call and of its campaign, with their places in the chains.
func auditOf(ctx context.Context, s CallReader, c call.Call) (lines []auditLine, err error) {
	lines = []auditLine{}
	_, err = s.ReadAudit(ctx, c.OrgID, func(row store.AuditRow) error {
		if subject := row.Entry.Subject; subject == c.ID || c.CampaignID != "" && subject == c.CampaignID {
			lines = append(lines, newAuditLine(row))
		}
		return nil
	})
	return lines, err
}

// notDialled says why nothing is known of the moment of dialling.
func notDialled(c call.Call) string {
	switch {
	case c.Way() == call.Inbound:
		return "the person called: nobody was dialled"
	case c.ReleasedAt == nil:
		return "the call was not dialled"
	default:
		return "the call was dialled by a version of Munadi that did not keep it"
	}
}

// keptRules are the dialling rules in force when a call was dialled.
type keptRules struct {
	At     time.Time           `json:"at"`
	SHA256 string              `json:"sha256"`
	Rules  callrules.CallRules `json:"rules"`
}

func rulesOf(ctx context.Context, s CallReader, c call.Call) (fact[keptRules], error) {
	if c.Dialled == nil || c.ReleasedAt == nil {
		return unknownFact[keptRules](notDialled(c)), nil
	}
	rules, err := s.FindKeptRules(ctx, c.OrgID, c.Dialled.Rules)
	if err != nil {
		return unknownFact[keptRules]("the rules that were kept can't be read"), store.IgnoreMissing(err)
	}
	return knownFact(keptRules{c.Dialled.At, c.Dialled.Rules, rules}), nil
}

func consentOf(rules fact[keptRules]) fact[string] {
	switch {
	case !rules.Known:
		return unknownFact[string](rules.Unknown)
	case rules.Is.Rules.ConsentBasis == "":
		return unknownFact[string]("the dialling rules named none")
	default:
		return knownFact(rules.Is.Rules.ConsentBasis)
	}
}

// suppressionFacts are the look into the suppression list when a call was dialled.
type suppressionFacts struct {
	CheckedAt  time.Time `json:"checked_at"`
	Suppressed bool      `json:"suppressed"`
}

func suppressionOf(c call.Call) fact[suppressionFacts] {
	if c.Dialled == nil || c.ReleasedAt == nil {
		return unknownFact[suppressionFacts](notDialled(c))
	}
	return knownFact(suppressionFacts{c.Dialled.At, c.Dialled.Suppressed})
}

// scenarioVersion holds the hours of the scenario that a call followed.
type scenarioVersion struct {
	Hours callrules.CallingHours
	Zone  string
}

func scenarioHours(ctx context.Context, s CallReader, c call.Call) (fact[scenarioVersion], error) {
	if c.ScenarioVersion == 0 {
		return unknownFact[scenarioVersion]("the scenario is built in, or no conversation followed it"), nil
	}
	found, err := s.FindScenarioVersion(ctx, c.OrgID, c.ScenarioID, c.ScenarioVersion)
	if err != nil {
		return unknownFact[scenarioVersion]("the version of the scenario is not kept"), store.IgnoreMissing(err)
	}
	return knownFact(scenarioVersion{found.Scenario.CallingHours, found.Scenario.TimeZone}), nil
}

// dialledHour is the hour at which a person was dialled.
type dialledHour struct {
	At time.Time `json:"at"`
	// Zone is the scenario's, else the organization's: where the person was is not known.
	Zone    string            `json:"zone"`
	Local   string            `json:"local"` // RFC 3339 in the zone
	Weekday callrules.Weekday `json:"weekday"`
	// Allowed says whether the organization's hours, and the scenario's if they are known, allowed it.
	Allowed      bool   `json:"allowed"`
	ScenarioSays string `json:"scenario_hours"` // "checked", or why they are not known
}

func hourOf(rules fact[keptRules], of fact[scenarioVersion]) fact[dialledHour] {
	if !rules.Known {
		return unknownFact[dialledHour](rules.Unknown)
	}
	hour := dialledHour{At: rules.Is.At, Zone: rules.Is.Rules.TimeZone, ScenarioSays: of.Unknown}
	var theirs scenarioVersion
	if of.Known {
		if theirs, hour.ScenarioSays = *of.Is, "checked"; theirs.Zone != "" {
			hour.Zone = theirs.Zone
		}
	}
	if hour.Zone == "" {
		hour.Zone = "UTC"
	}
	zone, err := time.LoadLocation(hour.Zone)
	if err != nil {
		return unknownFact[dialledHour]("the time zone " + hour.Zone + " is not known")
	}
	local := hour.At.In(zone)
	hour.Local, hour.Weekday = local.Format(time.RFC3339), callrules.Weekday(strings.ToLower(local.Weekday().String()))
	hour.Allowed = callrules.IsOpen(rules.Is.Rules, theirs.Hours, theirs.Zone, hour.At)
	return knownFact(hour)
}

// spokenDisclosure is the disclosure as it was spoken.
type spokenDisclosure struct {
	Text  string  `json:"text"` // of the rules
	Said  string  `json:"said"` // the turn that holds it
	Start float64 `json:"start"`
	End   float64 `json:"end"` // of the turn; seconds from the answer, as start
	Whole bool    `json:"whole"`
}

func disclosureOf(c call.Call, rules fact[keptRules]) fact[spokenDisclosure] {
	switch {
	case !rules.Known:
		return unknownFact[spokenDisclosure](rules.Unknown)
	case rules.Is.Rules.Disclosure == "":
		return unknownFact[spokenDisclosure]("the dialling rules named none when the call was dialled")
	case c.StartedAt == nil:
		return unknownFact[spokenDisclosure]("nobody answered")
	case len(c.Messages) == 0:
		return unknownFact[spokenDisclosure](noWords(c))
	}
	text := strings.TrimSpace(rules.Is.Rules.Disclosure)
	for _, m := range c.Messages {
		if m.Role != call.Assistant {
			continue
		}
		said := strings.TrimSpace(m.Content)
		whole := strings.Contains(said, text)
		if whole || said != "" && strings.HasPrefix(text, said) {
			return knownFact(spokenDisclosure{text, m.Content, m.Start, m.End, whole})
		}
	}
	return unknownFact[spokenDisclosure]("no turn of the call holds the disclosure of the rules")
}

// transcript are the turns of a call; their hash is that of the part.
type transcript struct {
	Messages []call.Message `json:"messages"`
}

func transcriptOf(c call.Call) fact[transcript] {
	if len(c.Messages) == 0 {
		return unknownFact[transcript](noWords(c))
	}
	return knownFact(transcript{c.Messages})
}

// noWords says why a call has no words.
func noWords(c call.Call) string {
	if !c.Status.IsFinal() {
		return "the call has not ended"
	}
	return "the call has no words: nothing was said, or they were removed"
}

func recordingOf(c call.Call) fact[call.RecordingSum] {
	switch {
	case !c.Status.IsFinal():
		return unknownFact[call.RecordingSum]("the call has not ended")
	case c.Recording == "":
		return unknownFact[call.RecordingSum]("the call has no recording, or it was removed")
	case c.RecordingSum == nil:
		return unknownFact[call.RecordingSum]("the recording was stored without a hash")
	default:
		return knownFact(*c.RecordingSum)
	}
}
