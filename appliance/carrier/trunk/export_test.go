package trunk

import "slices"

// Members returns the trunks in force.
func (g *TrunkGroup) Members() []GroupMember { return g.listMembers() }

// IsLeaving reports whether a removed trunk is still open.
func (g *TrunkGroup) IsLeaving(m GroupMember) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.leaving, func(l GroupMember) bool { return l.Trunk == m.Trunk })
}
