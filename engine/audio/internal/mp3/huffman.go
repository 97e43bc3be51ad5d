package mp3

import "encoding/hex"

// quadTables is the number of the first of the two tables for quadruples of lines.
const quadTables = 32

// quickBits is the width of the first lookup of a code, in bits.
const quickBits = 9

// huffmanTable is a Huffman table as a binary tree, with a shortcut for its first bits.
type huffmanTable struct {
	quick [1 << quickBits]huffmanEntry
	nodes [][2]huffmanEntry // by the next bit
}

// huffmanEntry is a value (length > 0: bits used up) or a node further down (length 0).
type huffmanEntry struct {
	value  uint16
	length uint8
}

// huffmanTables returns the tables by number; nil where every line is zero.
func huffmanTables() (t [quadTables + 2]*huffmanTable) {
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

// newCode builds the tree from its leaves, from left to right: pairs of depth and value, in hexadecimal.
func newCode(leaves string) *huffmanTable {
	c := &huffmanTable{nodes: make([][2]huffmanEntry, 1)}
	data, _ := hex.DecodeString(leaves) // constants; a test decodes each
	var word uint32                     // code of the next leaf, left-justified
	for i := 0; i+1 < len(data); i += 2 {
		depth := int(data[i])
		c.insertCode(word, depth, uint16(data[i+1]))
		word += 1 << (32 - depth)
	}
	for i := range c.quick {
		c.quick[i] = c.walkTree(uint32(i)<<(32-quickBits), quickBits)
	}
	return c
}

func (c *huffmanTable) insertCode(word uint32, depth int, value uint16) {
	node := 0
	for i := range depth - 1 {
		bit := word >> (31 - i) & 1
		next := int(c.nodes[node][bit].value)
		if next == 0 {
			next = len(c.nodes)
			c.nodes = append(c.nodes, [2]huffmanEntry{})
			c.nodes[node][bit].value = uint16(next)
		}
		node = next
	}
	c.nodes[node][word>>(32-depth)&1] = huffmanEntry{value, uint8(depth)}
}

// walkTree follows at most depth bits from the root.
func (c *huffmanTable) walkTree(word uint32, depth int) huffmanEntry {
	var e huffmanEntry
	for i := 0; i < depth; i++ {
		e = c.nodes[e.value][word>>(31-i)&1]
		if e.length > 0 {
			break
		}
	}
	return e
}

// readValue reads one value.
func (c *huffmanTable) readValue(r *bitReader) int {
	word := r.peek()
	e := c.quick[word>>(32-quickBits)]
	for i := quickBits; e.length == 0; i++ {
		e = c.nodes[e.value][word>>(31-i)&1]
	}
	r.pos += int(e.length)
	return int(e.value)
}
