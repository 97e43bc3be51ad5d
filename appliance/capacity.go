package appliance

// lineRoom returns how many of wanted calls the machine holds in real time beside the open live sessions. The simulated
// clock of a faster or slower simulation waits for the recognizer, so that no call is late there.
func (a *Appliance) lineRoom(wanted int) int {
	c, known := a.capacity.CurrentCapacity()
	if !known || a.config.TimeScale != 1 && a.calls.trunks == nil {
		return wanted
	}
	return min(wanted, max(1, c.Calls-2*a.stt.LiveSessions()))
}

// sessionRoom returns how many realtime sessions the machine holds in real time beside the running calls; 0: not known
// yet.
func (a *Appliance) sessionRoom() int {
	c, known := a.capacity.CurrentCapacity()
	if !known {
		return 0
	}
	return max(1, c.Speakers-a.calls.scheduler.HeldLines()/2)
}
