package config

import "reflect"

// CompareSettings returns the settings in which next differs from c: those that a reload changes, and those that need
// a restart. Both are in the order of the settings.
func (c *Config) CompareSettings(next *Config) (live, waiting []string) {
	ours, theirs := reflect.ValueOf(c).Elem(), reflect.ValueOf(next).Elem()
	for _, s := range listSettings() {
		if s.name == fileSetting || ours.Field(s.index).Equal(theirs.Field(s.index)) {
			continue
		}
		if IsReloadable(s.name) {
			live = append(live, s.name)
		} else {
			waiting = append(waiting, s.name)
		}
	}
	return live, waiting
}

// WithReloadable returns c with the reloadable settings of next.
func (c *Config) WithReloadable(next *Config) *Config {
	merged := *c
	ours, theirs := reflect.ValueOf(&merged).Elem(), reflect.ValueOf(next).Elem()
	for _, s := range listSettings() {
		if IsReloadable(s.name) {
			ours.Field(s.index).Set(theirs.Field(s.index))
		}
	}
	return &merged
}
