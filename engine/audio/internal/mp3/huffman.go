package mp3

import "encoding/hex"

// quadTables is the number of the first of the two tables for quadruples of lines.
const quadTables = 32

// quickBits is how many bits the first look at a code sees.
const quickBits = 9

// code is a Huffman table as a binary tree, with a shortcut for its first bits.
type code struct {
	quick [1 << quickBits]entry
	nodes [][2]entry // by the next bit
}

// entry is a value (length > 0: bits used up) or a node further down (length 0).
type entry struct {
	value  uint16
	length uint8
}

// codes returns the tables by number; nil where every line is zero.
func codes() (t [quadTables + 2]*code) {
	for _, d := range codeData() {
		t[d.number] = newCode(d.leaves)
	}
	for i := 17; i < 24; i++ {
		t[i] = t[16]
	}
	for i := 25; i < 32; i++ {
		t[i] = t[24]
	}
	return t
}

// escapeBits is linbits: how many more bits follow the value 15.
func escapeBits(table int) int {
	if table < 16 {
		return 0
	}
	return [16]int{1, 2, 3, 4, 6, 8, 10, 13, 4, 5, 6, 7, 8, 9, 11, 13}[table-16]
}

// newCode builds a tree of its leaves from left to right: pairs of depth and value, in hexadecimal.
func newCode(leaves string) *code {
	c := &code{nodes: make([][2]entry, 1)}
	data, _ := hex.DecodeString(leaves) // ours; a test decodes each
	var word uint32                     // code of the next leaf, left-justified
	for i := 0; i+1 < len(data); i += 2 {
		depth := int(data[i])
		c.insert(word, depth, uint16(data[i+1]))
		word += 1 << (32 - depth)
	}
	for i := range c.quick {
		c.quick[i] = c.walk(uint32(i)<<(32-quickBits), quickBits)
	}
	return c
}

func (c *code) insert(word uint32, depth int, value uint16) {
	node := 0
	for i := range depth - 1 {
		bit := word >> (31 - i) & 1
		next := int(c.nodes[node][bit].value)
		if next == 0 {
			next = len(c.nodes)
			c.nodes = append(c.nodes, [2]entry{})
			c.nodes[node][bit].value = uint16(next)
		}
		node = next
	}
	c.nodes[node][word>>(32-depth)&1] = entry{value, uint8(depth)}
}

// walk goes down at most depth bits.
func (c *code) walk(word uint32, depth int) entry {
	var e entry
	for i := 0; i < depth; i++ {
		e = c.nodes[e.value][word>>(31-i)&1]
		if e.length > 0 {
			break
		}
	}
	return e
}

// next reads one value.
func (c *code) next(r *bitReader) int {
	word := r.peek()
	e := c.quick[word>>(32-quickBits)]
	for i := quickBits; e.length == 0; i++ {
		e = c.nodes[e.value][word>>(31-i)&1]
	}
	r.pos += int(e.length)
	return int(e.value)
}
