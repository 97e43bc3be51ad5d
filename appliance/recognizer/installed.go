package recognizer

import (
	"path/filepath"
	"sync/atomic"
)

// InstalledModel holds the name of the serving installed model; the zero value holds none.
type InstalledModel struct {
	Fixed func() bool // whether the setting model names another
	name  atomic.Pointer[string]
}

// NoteFolder notes the folder of the installed model that serves; empty for the built-in one.
func (m *InstalledModel) NoteFolder(folder string) {
	name := ""
	if folder != "" {
		name = filepath.Base(folder)
	}
	m.name.Store(&name)
}

// ServingName returns the installed model that serves, empty for the built-in one; false while none does, or the
// setting model names another.
func (m *InstalledModel) ServingName() (name string, known bool) {
	p := m.name.Load()
	if p == nil || m.Fixed() {
		return "", false
	}
	return *p, true
}
