package scenario

// AsksAfter returns the slots that may be asked for after the ask step i has been answered with a value: those of the
// asks that the flow can reach, where a branch on the answer goes its one way.
func (s Scenario) AsksAfter(i int, value any) map[string]bool {
	asked := s.Steps[i].Slot.Name
	exits := func(at int) []int {
		switch {
		case at == i:
			return []int{s.NextStep(i, s.Steps[i].Next)}
		case at < len(s.Steps) && s.Steps[at].Type == Branch:
			return s.branchExits(at, asked, value)
		}
		return s.stepExits(at)
	}
	slots := map[string]bool{}
	for at, reached := range s.markReachable(exits(i), exits) {
		if reached && at < len(s.Steps) && s.Steps[at].Slot != nil {
			slots[s.Steps[at].Slot.Name] = true
		}
	}
	return slots
}

// branchExits returns the steps to which a branch may lead if one slot has a value: cases on other slots may be true.
func (s Scenario) branchExits(at int, slot string, value any) (to []int) {
	for _, k := range s.Steps[at].Cases {
		switch {
		case k.Slot != slot:
			to = append(to, s.FindStep(k.Next))
		case k.IsSet != nil && *k.IsSet, k.IsSet == nil && k.Equals == value:
			return append(to, s.FindStep(k.Next))
		}
	}
	return append(to, s.NextStep(at, s.Steps[at].Next))
}
