package calls

import (
	"testing"

	"munadi/store/call"
)

// TestCallGaps checks which silences are gaps: before a measured reply from the person's end to the first voiced sound,
// before the person's turn from the platform's end; not where both spoke, nor between turns of one speaker.
func TestCallGaps(t *testing.T) {
	t.Parallel()
	turn := func(role call.SpeakerRole, start, end float64, reply *call.ReplyTiming) CallTurn {
		return CallTurn{Message: call.Message{Role: role, Content: "x", Start: start, End: end, ReplyTiming: reply}}
	}
	p := CallView{Turns: []CallTurn{
		turn(call.Assistant, 0, 2, nil), turn(call.Assistant, 2.5, 3, nil),
		turn(call.User, 3.7, 4.5, nil),
		turn(call.Assistant, 5, 6, &call.ReplyTiming{Gap: 400, Decided: 300, Heard: 450}),
		turn(call.User, 5.8, 7, nil),
	}}
	gaps := p.CallGaps()
	if len(gaps) != 2 || gaps[0].IsPlatforms() || gaps[0].Milliseconds() != 700 || !gaps[1].IsPlatforms() ||
		gaps[1].Milliseconds() != 450 || gaps[1].From != 4.6 {
		t.Errorf("%+v", gaps)
	}
}
