package mp3

import (
	"encoding/binary"
	"encoding/hex"
)

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

// bitReader reads most significant bits first, and zeros after the end.
type bitReader struct {
	b   []byte // with at least slack bytes after end
	pos int    // in bits
	end int    // in bits
}

// slack is how far a peek may read beyond the last bit, in bytes.
const slack = 8

// newBitReader reads a padded copy of b in buf, which it returns for reuse.
func newBitReader(b, buf []byte) (*bitReader, []byte) {
	buf = append(append(buf[:0], b...), make([]byte, slack)...)
	return &bitReader{b: buf, end: 8 * len(b)}, buf
}

// peek returns the next 32 bits.
func (r *bitReader) peek() uint32 {
	i := r.pos >> 3
	if i+slack > len(r.b) {
		return 0
	}
	return uint32(binary.BigEndian.Uint64(r.b[i:]) << (r.pos & 7) >> 32)
}

// bits reads n ≤ 24 bits.
func (r *bitReader) bits(n int) int {
	v := r.peek() >> (32 - n)
	r.pos += n
	return int(v)
}

// flag reads one bit.
func (r *bitReader) flag() bool { return r.bits(1) == 1 }

// codeLeaves is one Huffman table of ISO 11172-3, table B.7: for each leaf of the code tree, from code 00… to 11…, one
// byte of depth and one of value: the two lines' magnitudes in four bits each, or the four lines' in one bit each.
type codeLeaves struct {
	number int
	leaves string
}

func codeData() []codeLeaves {
	return []codeLeaves{
		{1, "" +
			"0311030102100100"},
		{2, "" +
			"062206020512052105200311030103100100"},
		{3, "" +
			"062206020512052105200310021102010200"},
		{5, "" +
			"0833082307320631071307030730072206120621060206200311030103100100"},
		{6, "" +
			"0733070306230632063005130531052205020412042104200301021103100300"},
		{7, "" +
			"0a550a450a540a5309350944092509520815085109050934085009430933082408420714074107400804082308320803" +
			"071307310730072206120521060206200411030103100100"},
		{8, "" +
			"0b550b540a4509530a350a44092509520905081508510934094309500933082408420814074108040840082308320813" +
			"083108030830062206020620041204210211030103100200"},
		{9, "" +
			"095509450835085309540905084408250852081507510734074308500804072407420733074006140641062306320513" +
			"053106030630052205020412042104200311030103100300"},
		{10, "" +
			"0b770b670b760b570b750b660a470a740a560a650a370a730a460b550b540a63092709720a640a07097009620a450a35" +
			"09060a530a4408170871093609260a250a52091509510a340a4308160861086009050950092409420933090408140841" +
			"0840082308320803071307310730072206120621060206200411030103100100"},
		{11, "" +
			"0a770a670a760a750a660a470a740b570b550a560a650937097309460a450a540a350a53082708720964090707710817" +
			"087008360863086009440925095209050815076208260806071607610851083408500943093308240842081408410804" +
			"0840072307320613063107030730062205210412050205200311030103100200"},
		{12, "" +
			"0a770a670976095709750966094709740965085608370973095508270872084608640817087109070970083608630845" +
			"085408440906090507260762076108160860083508530825085207150751073407430850080407240742071406330641" +
			"0623063207400703063005130531052204120421050205200400031103010310"},
		{13, "" +
			"13fe13fc12fd11ed10ff10ef10df10ee10cf10de10bf10fb10ce10dc11af11e90fec0fdd10fa10cd0fbe0feb0f9f0ff9" +
			"0fea0fbd0fdb0f8f0ff80fcc10ae109e0f8e107f107e0ef70eda0fad0fbc0fcb0ff60e6f0ee80e5f0e9d0ed90ef50ee7" +
			"0eac0ebb0e4f0ef40fca0fe60ef30d3f0e8d0ed80d2f0df20e6e0e9c0d0f0ec90e5e0dab0e7d0ed70d4e0ec80ed60d3e" +
			"0db90e9b0eaa0c1f0cf10cf00dba0de50de40d8c0d6d0de30ce20d2e0d0e0c1e0ce10de00d5d0dd50d7c0dc70d4d0d8b" +
			"0db80dd40d9a0da90d6c0cc60c3d0dd30d7b0c2d0cd20c1d0cb70d5c0dc50d990d7a0cc30da70d970c4b0bd10c0d0cd0" +
			"0c8a0ca80c4c0cc40c6b0cb60b3c0b2c0bc20b5b0cb50c890b1c0bc10c980c0c0bc00cb40c6a0ca60c790b3b0bb30c88" +
			"0c5a0b2b0ca50c690ba40c780c870b940c770c760ab20a1b0ab10b0b0bb00b960b4a0b3a0ba30b590b950a2a0aa20a1a" +
			"0aa10b0a0b680aa00b860b490a930b390b580b850b670a290a920b570b750a380a830b660b470b740b560b650b730919" +
			"09910a090a900a480a840a720b460b640928098209180a370a27091709710a550a070a700a360a630a450a540a260a62" +
			"0a3508810908098009160961090609600a530a4409250952090508150851093409430950092409420933081407410804" +
			"0840082308320713073107030730072206120621060206200411040103100100"},
		{15, "" +
			"0dff0def0dfe0ddf0cee0dfd0dcf0dfc0dde0ded0dbf0cfb0dce0dec0cdd0caf0cfa0cbe0ceb0ccd0cdc0c9f0cf90cea" +
			"0cbd0cdb0c8f0cf80ccc0c9e0ce90c7f0cf70cad0cda0cbc0c6f0dae0d0f0bcb0bf60c8e0ce80c5f0c9d0bf50b7e0be7" +
			"0bac0bca0bbb0cd90c8d0b4f0bf40b3f0bf30bd80be60b2f0bf20c6e0cf00b1f0bf10b9c0bc90b5e0bab0bba0be50b7d" +
			"0bd70b4e0be40b8c0bc80b3e0b6d0bd60be30b9b0bb90b2e0baa0be20b1e0be10c0e0ce00b5d0bd50b7c0bc70b4d0b8b" +
			"0ad40bb80b9a0ba90b6c0bc60b3d0ad30ad20b2d0b0d0a1d0a7b0ab70ad10b5c0bd00ac50a8a0aa80a4c0ac40a6b0ab6" +
			"0b990b0c0a3c0ac30a7a0aa70aa60bc00b0b09c20a2c0a5b0ab50a1c0a890a980ac10a4b0ab40a6a0a3b0a7909b30a97" +
			"0a880a2b0a5a09b20aa50a1b09b10ab00a690a960a4a0aa40a780a870a3a09a309590995092a09a2091a09a10a0a0aa0" +
			"0968098609490994093909930a770a090958098509290967097609920891091909900948098409570975093809830966" +
			"094708280882081808810974090809800956096509370973094608270872086408170855087109070970083608630845" +
			"085408260862081609060960083507610853084407250752071507510805085007340743072407420733064107140704" +
			"0623063207400703061306310630052205120521050205200311040104100300"},
		{16, "" +
			"0bef0bfe0bdf0bfd0bcf0bfc0bbf0bfb0aaf0bfa0b9f0bf90bf80a8f0a7f0af70a6f0af608ff0a5f0af5094f09f409f3" +
			"09f00a3f10ce11ec11dd0fde0fe910ea10d90eee0fed0feb0ebe0ecd0fdc0fdb0eae0ecc0fad0fda0f7e0fac0eca0fc9" +
			"0f7d0e5e0dbd08f2092f090f081f08f10d9e0ebc0ecb0e8e0ee80e9d0ee70ebb0e8d0ed80e6e0de60d9c0eab0eba0ee5" +
			"0ed70d4e0ee40e8c0dc80d3e0d6d0ed60e9b0eb90eaa0de10dd40eb80ea90d7b0eb70ed00ce30d0e0de00d5d0dd50d7c" +
			"0dc70d4d0d8b0d9a0d6c0dc60d3d0d5c0dc50c0d0d8a0da80d990d4c0db60d7a0c3c0d5b0d890c1c0cc00d980d790be2" +
			"0c2e0c1e0cd30c2d0cd20cd10c3b0d970d880b1d0cc40c6b0cc30ca70b2c0cc20cb50cc10c0c0c4b0cb40c6a0ca60bb3" +
			"0c5a0ca50b2b0bb20b1b0bb10c0b0cb00c690c960c4a0ca40c780c870ba30c3a0c590b2a0c950c680ba10c860c770b94" +
			"0c490c570b670aa20a1a0b0a0ba00b390b930b580b850a290a920b760b090a190a910b900b480b840b750b380b830b66" +
			"0b280a820b470b740a180a810a800b080b560a370a730b650b460a270a720b640b550a07091709710a700a360a630a45" +
			"0a540a260962091609610a060a6009530a350a4409250952085109150905093409430950092409420933081408410904" +
			"0940082308320713073108030830072206120621060206200411040103100100"},
		{24, "" +
			"08ef08fe08df08fd08cf08fc08bf08fb07fa08af089f07f907f8088f087f07f7076f07f6075f07f5074f07f4073f07f3" +
			"072f07f207f1081f08f0090f0bee0bde0bed0bce0bec0bdd0bbe0beb0bcd0bdc0bae0bea0bbd0bdb0bcc0b9e0be90bad" +
			"0bda0bbc0bcb0b8e0be80b9d0bd90b7e0be70bac04ff0bca0bbb0b8d0bd80c0e0ce00b0d0ae60b6e0b9c0ac90a5e0aba" +
			"0ae50bab0b7d0ad70ae40a8c0ac80b4e0b2e0a3e0a6d0ad60ae30a9b0ab90aaa0ae20a1e0ae10a5d0ad50a7c0ac70a4d" +
			"0a8b0ab80ad40a9a0aa90a6c0ac60a3d0ad30a2d0ad20a1d0a7b0ab70ad10a5c0ac50a8a0aa80a990a4c0ac40a6b0ab6" +
			"0bd00b0c0a3c0ac30a7a0aa70a2c0ac20a5b0ab50a1c0a890a980ac10a4b0bc00b0b0a3b0bb00b0a0a1a09b40a6a0aa6" +
			"0a790a970ba00b090a9009b309880a2b0a5a09b20aa50a1b0ab10a69099609a40a4a0a780987093a09a309590995092a" +
			"09a209a10968098609770949099409390993095809850929096709760992091909910948098409570975093809830966" +
			"0928098209180947097409810a080a800956096509170a070a7008730937092708720846086408550871083608630845" +
			"085408260862081608610906096008350853084408250852081509050950075108340843072407420733071407410804" +
			"0840072307320613063107030730062205120521060206200411040104100400"},
		{32, "" +
			"060b060f060d060e06070605050905060503050a050c04020401040404080100"},
		{33, "" +
			"040f040e040d040c040b040a0409040804070406040504040403040204010400"},
	}
}
