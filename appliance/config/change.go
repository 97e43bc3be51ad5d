package config

import "reflect"

// Changes are the settings in which next differs from c: those that a reload changes, and those that wait for a
// restart. Both are in the order of the settings.
func (c *Config) Changes(next *Config) (live, waiting []string) {
	ours, theirs := reflect.ValueOf(c).Elem(), reflect.ValueOf(next).Elem()
	for _, s := range settings() {
		if ours.Field(s.index).Equal(theirs.Field(s.index)) {
			continue
		}
		if Live(s.name) {
			live = append(live, s.name)
		} else {
			waiting = append(waiting, s.name)
		}
	}
	return live, waiting
}

// With is c with what a reload changes as next has it.
func (c *Config) With(next *Config) *Config {
	merged := *c
	ours, theirs := reflect.ValueOf(&merged).Elem(), reflect.ValueOf(next).Elem()
	for _, s := range settings() {
		if Live(s.name) {
			ours.Field(s.index).Set(theirs.Field(s.index))
		}
	}
	return &merged
}
