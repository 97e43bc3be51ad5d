package main

import "strings"

// mostLost is how many calls a refusing trunk may cost, before the circuit breaker opens.
const mostLost = 5

// judgeDeadAudio compares how calls ended with what the people did: who was not heard, or not any more, has failed by
// that reason and is called again, and an alert names the trunk; the others are not affected.
func (w *soakWitness) judgeDeadAudio(calls map[string]jsonObject, alerted bool) *deadAudioRun {
	r := &deadAudioRun{Alerted: alerted}
	for id, c := range calls {
		number, status, reason := c.textAt("phone_number"), c.textAt("status"), c.textAt("failure", "reason")
		first := c.textAt("previous_call_id") == ""
		switch {
		case strings.HasSuffix(number, talks):
			if r.Completed++; status != "completed" {
				r.Completed--
				w.addFault("wrong", "%s, whose person talks, is %s (%s)", id, status, reason)
			}
			continue
		case status != "failed" || reason != "no_audio":
			w.addFault("wrong", "%s to %s, whose audio is dead, is %s (%s)", id, number, status, reason)
		default:
			r.NoAudio++
		}
		r.Dead++
		switch next := calls[c.textAt("next_call_id")]; {
		case first && next == nil:
			w.addFault("lost", "%s got no audio and is not called again", id)
		case first:
			r.Retried++
		}
	}
	if r.Dead > 0 && !alerted {
		w.addFault("wrong", "%d calls got no audio, and no alert names the trunk", r.Dead)
	}
	w.judgeUndelivered(calls)
	return r
}

// judgeRefusedCalls compares the calls while their trunk refused them, with how they ended after it was healed: few are
// lost, all others wait and are made; health and doctor name the trunk meanwhile.
func (w *soakWitness) judgeRefusedCalls(answer string, before, after map[string]jsonObject, named bool) *refusedCalls {
	r := &refusedCalls{Answer: answer}
	for id, c := range before {
		status, ended := c.textAt("status"), after[id].textAt("status")
		switch {
		case status == "failed":
			r.Lost++
		case status != "scheduled" && status != "dialing":
			w.addFault("wrong", "%s is %s over a trunk that answers %s", id, status, answer)
		case ended == "completed":
			r.Kept++
			r.Completed++
		default:
			r.Kept++
			w.addFault("lost", "%s waited for the trunk, and is %q after it was healed (%s)",
				id, ended, after[id].textAt("failure", "reason"))
		}
	}
	if r.Lost > mostLost {
		w.addFault("lost", "%d of %d calls are lost to a trunk that answers %s", r.Lost, len(before), answer)
	}
	if !named {
		w.addFault("wrong", "health or doctor does not say that the trunk answers %s", answer)
	}
	return r
}
