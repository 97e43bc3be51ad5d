package scenario

// checkGraph validates the flow graph: every step is reachable and can reach the end.
func (c *scenarioChecker) checkGraph() {
	end := len(c.s.Steps)
	reached := c.s.markReachable([]int{c.s.FirstStep()}, c.s.stepExits)
	back := make([][]int, end+1)
	for i := range end {
		for _, to := range c.s.stepExits(i) {
			back[to] = append(back[to], i)
		}
	}
	leaves := c.s.markReachable([]int{end}, func(i int) []int { return back[i] })
	circles := c.findSilentLoops()
	for i := range end {
		path := IndexPath("steps", i)
		switch {
		case !reached[i]:
			c.addFailure(path, "is never reached")
		case circles[i]:
			c.addFailure(path, "lies in a loop that never waits for an answer")
		case !leaves[i]:
			c.addFailure(path, "leads into a loop without an exit")
		}
	}
}

// markReachable marks the steps reachable from from (graph search); index len(Steps) is the end of the call.
func (s Scenario) markReachable(from []int, exits func(int) []int) []bool {
	seen := make([]bool, len(s.Steps)+1)
	for len(from) > 0 {
		i := from[len(from)-1]
		from = from[:len(from)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		from = append(from, exits(i)...)
	}
	return seen
}

// findSilentLoops marks the steps on a cycle without any listening: such a call would talk forever.
func (c *scenarioChecker) findSilentLoops() []bool {
	marked := make([]bool, len(c.s.Steps))
	silent := func(i int) []int {
		if i >= len(c.s.Steps) || c.s.Steps[i].Type == Ask || c.s.Steps[i].Type == LLMStep {
			return nil
		}
		return c.s.stepExits(i)
	}
	for i := range c.s.Steps {
		marked[i] = c.s.markReachable(silent(i), silent)[i]
	}
	return marked
}

// stepExits returns the possible successors of step i; len(Steps) is the end of the call.
func (s Scenario) stepExits(i int) []int {
	if i >= len(s.Steps) {
		return nil
	}
	step := s.Steps[i]
	if step.Type == End {
		return []int{len(s.Steps)}
	}
	to := []int{s.NextStep(i, step.Next)}
	for _, k := range step.Cases {
		to = append(to, s.FindStep(k.Next))
	}
	if step.OnFailure != "" {
		to = append(to, s.FindStep(step.OnFailure))
	}
	if step.Type == Transfer { // the call continues elsewhere
		to = append(to, len(s.Steps))
	}
	return to
}
