package token

import "container/heap"

// symbols is a text being merged: a doubly linked list in an array. A symbol that was merged
// into its left neighbour is empty.
type symbols []symbol

type symbol struct {
	text       string
	prev, next int // -1 at the ends
	frozen     bool
}

// pair is a merge that may be done: left and the symbol after it.
type pair struct {
	left, right int
	score       float32
	size        int // bytes of both: another size means that the pair is out of date
}

// agenda is a heap of pairs: the best score first, of equal ones the leftmost.
type agenda []pair

func (a agenda) Len() int { return len(a) }

func (a agenda) Less(i, j int) bool {
	return a[i].score > a[j].score || (a[i].score == a[j].score && a[i].left < a[j].left)
}

func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(pair)) }

func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// merging is the state of one byte pair encoding.
type merging struct {
	t      *Tokenizer
	list   symbols
	agenda agenda
	halves map[string][2]string // how a piece that must not come out was merged
}

// merge divides text by byte pair encoding: starting from characters, the neighbours whose
// concatenation is the best piece are merged until none is a piece (Sennrich et al. 2016).
func (t *Tokenizer) merge(text string) []span {
	m := merging{t: t, halves: make(map[string][2]string)}
	for len(text) > 0 {
		n, verbatim := t.symbol(text)
		i := len(m.list)
		m.list = append(m.list, symbol{text: text[:n], prev: i - 1, next: i + 1, frozen: verbatim})
		text = text[n:]
	}
	if len(m.list) == 0 {
		return nil
	}
	m.list[len(m.list)-1].next = -1
	for i := 1; i < len(m.list); i++ {
		m.consider(i-1, i)
	}
	for len(m.agenda) > 0 {
		m.apply(heap.Pop(&m.agenda).(pair))
	}
	var spans []span
	for i := 0; i >= 0; i = m.list[i].next {
		spans = m.emit(spans, m.list[i].text)
	}
	return spans
}

// consider puts two neighbours on the agenda if they make a piece.
func (m *merging) consider(left, right int) {
	if left < 0 || right < 0 || m.list[left].frozen || m.list[right].frozen {
		return
	}
	a, b := m.list[left].text, m.list[right].text
	id, ok := m.t.ids[a+b]
	if !ok {
		return
	}
	p := m.t.pieces[id]
	heap.Push(&m.agenda, pair{left, right, p.score, len(a) + len(b)})
	if p.kind == unused {
		m.halves[a+b] = [2]string{a, b}
	}
}

// apply does a merge unless one of its sides has changed since it was considered.
func (m *merging) apply(p pair) {
	left, right := &m.list[p.left], &m.list[p.right]
	if left.text == "" || right.text == "" || len(left.text)+len(right.text) != p.size {
		return
	}
	left.text += right.text
	left.next = right.next
	if right.next >= 0 {
		m.list[right.next].prev = p.left
	}
	right.text = ""
	m.consider(left.prev, p.left)
	m.consider(p.left, left.next)
}

// emit appends a symbol, or what it was merged from if it must not come out.
func (m *merging) emit(spans []span, text string) []span {
	id := m.t.id(text)
	if halves, ok := m.halves[text]; ok && m.t.kindOf(id) == unused {
		return m.emit(m.emit(spans, halves[0]), halves[1])
	}
	return append(spans, span{text, id})
}
