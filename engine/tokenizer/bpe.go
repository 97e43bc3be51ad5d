package tokenizer

import "container/heap"

// symbolList is a text being merged: a doubly linked list in an array. A symbol that was merged
// into its left neighbour is empty.
type symbolList []mergeSymbol

type mergeSymbol struct {
	text       string
	prev, next int // -1 at the ends
	frozen     bool
}

// mergePair is a candidate merge: of a symbol and the one after it.
type mergePair struct {
	left, right int
	score       float32
	size        int // bytes of both; if they have another size, the pair is stale
}

// mergeQueue is a heap of pairs: the highest score first, then the leftmost.
type mergeQueue []mergePair

func (a mergeQueue) Len() int { return len(a) }

func (a mergeQueue) Less(i, j int) bool {
	return a[i].score > a[j].score || (a[i].score == a[j].score && a[i].left < a[j].left)
}

func (a mergeQueue) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *mergeQueue) Push(x any)   { *a = append(*a, x.(mergePair)) }

func (a *mergeQueue) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// bpeMerge is the state of one byte pair encoding.
type bpeMerge struct {
	t      *Tokenizer
	list   symbolList
	agenda mergeQueue
	halves map[string][2]string // the two symbols from which an unused piece was merged
}

// mergePairs divides text by byte pair encoding (Sennrich et al. 2016): starting from characters, the neighbours
// whose concatenation is the piece of the highest score are merged, until no concatenation is a piece.
func (t *Tokenizer) mergePairs(text string) []pieceSpan {
	m := bpeMerge{t: t, halves: make(map[string][2]string)}
	for len(text) > 0 {
		n, verbatim := t.symbolLength(text)
		i := len(m.list)
		m.list = append(m.list, mergeSymbol{text: text[:n], prev: i - 1, next: i + 1, frozen: verbatim})
		text = text[n:]
	}
	if len(m.list) == 0 {
		return nil
	}
	m.list[len(m.list)-1].next = -1
	for i := 1; i < len(m.list); i++ {
		m.considerPair(i-1, i)
	}
	for len(m.agenda) > 0 {
		m.applyMerge(heap.Pop(&m.agenda).(mergePair))
	}
	var spans []pieceSpan
	for i := 0; i >= 0; i = m.list[i].next {
		spans = m.emitSymbol(spans, m.list[i].text)
	}
	return spans
}

// considerPair adds two neighbours to the agenda if their concatenation is a piece.
func (m *bpeMerge) considerPair(left, right int) {
	if left < 0 || right < 0 || m.list[left].frozen || m.list[right].frozen {
		return
	}
	a, b := m.list[left].text, m.list[right].text
	id, ok := m.t.ids[a+b]
	if !ok {
		return
	}
	p := m.t.pieces[id]
	heap.Push(&m.agenda, mergePair{left, right, p.score, len(a) + len(b)})
	if p.kind == unused {
		m.halves[a+b] = [2]string{a, b}
	}
}

// applyMerge performs a merge unless it is stale: one of its symbols was merged meanwhile.
func (m *bpeMerge) applyMerge(p mergePair) {
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
	m.considerPair(left.prev, p.left)
	m.considerPair(p.left, left.next)
}

// emitSymbol appends a symbol, or the symbols from which it was merged if its piece is unused.
func (m *bpeMerge) emitSymbol(spans []pieceSpan, text string) []pieceSpan {
	id := m.t.pieceID(text)
	if halves, ok := m.halves[text]; ok && m.t.kindOf(id) == unused {
		return m.emitSymbol(m.emitSymbol(spans, halves[0]), halves[1])
	}
	return append(spans, pieceSpan{text, id})
}
