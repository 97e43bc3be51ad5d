package nemo

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Limits of a pickle. A checkpoint of 42 layers needs 300 kB and some 10,000 containers.
const (
	maxPickle     = 4 << 20
	maxContainers = 1 << 18
	maxText       = 1 << 16 // bytes of one string
)

// Values of a pickle are nil, bool, int64, float64, string, []byte (an integer of more than 8 bytes, little-endian),
// pickleTuple, *pickleList, pickleDict, pickleGlobal, *tensorStorage and StoredTensor.
type (
	pickleTuple  []any
	pickleList   struct{ items []any }
	pickleDict   map[string]any
	pickleGlobal string
	pickleMark   struct{}
)

// Callables that a state dict uses; storages are accepted by elementSizes.
const (
	orderedDict      pickleGlobal = "collections.OrderedDict"
	rebuildTensor    pickleGlobal = "torch._utils._rebuild_tensor_v2"
	rebuildParameter pickleGlobal = "torch._utils._rebuild_parameter"
)

// tensorUnpickler runs a pickle of protocol 2 to 4 as far as tensors need it. It creates only the values above and
// calls no code: any other global, or an opcode that torch does not write, is an error.
type tensorUnpickler struct {
	in         *bufio.Reader
	read       int // bytes
	stack      []any
	memo       map[uint32]any
	containers int
	storages   map[string]*tensorStorage
}

// unpickleTensors reads one pickle from in, up to its end. Storages are collected by key.
func unpickleTensors(in *bufio.Reader, storages map[string]*tensorStorage) (any, error) {
	u := &tensorUnpickler{in: in, memo: map[uint32]any{}, storages: storages}
	for {
		op, err := u.readByte()
		if err != nil {
			return nil, err
		}
		if op == '.' {
			return u.popValue()
		}
		if err := u.runOpcode(op); err != nil {
			return nil, fmt.Errorf("pickle, byte %d: %w", u.read, err)
		}
	}
}

var (
	errUnderflow = errors.New("the pickle is invalid (stack underflow)")
	errTooLarge  = fmt.Errorf("the pickle is larger than the accepted maximum of %d MiB and %d containers",
		maxPickle>>20, maxContainers)
)

// runOpcode executes one operation; the letters are those of Python's pickletools.
func (u *tensorUnpickler) runOpcode(op byte) error {
	switch op {
	case 0x80: // PROTO
		version, err := u.readByte()
		if err == nil && (version < 2 || version > 4) {
			err = fmt.Errorf("protocol %d; torch.save writes 2", version)
		}
		return err
	case 0x95: // FRAME
		_, err := u.readBytes(8)
		return err
	case 'N':
		return u.pushValue(nil)
	case 0x88, 0x89: // NEWTRUE, NEWFALSE
		return u.pushValue(op == 0x88)
	case '(':
		return u.pushValue(pickleMark{})
	case '0':
		_, err := u.popValue()
		return err
	case 'K', 'M', 'J', 0x8a, 'G':
		return u.pushNumber(op)
	case 'X', 0x8c, 'U', 'T':
		return u.pushText(op)
	case ')', 't', 0x85, 0x86, 0x87, ']', '}', 'a', 'e', 's', 'u':
		return u.runCollection(op)
	case 'q', 'r', 0x94, 'h', 'j':
		return u.runMemo(op)
	case 'c', 0x93, 'R', 'b', 'Q':
		return u.runObject(op)
	}
	return fmt.Errorf("unsupported opcode %#x: state dicts do not use it", op)
}

func (u *tensorUnpickler) pushNumber(op byte) error {
	switch op {
	case 'K', 'M': // BININT1, BININT2
		n, err := u.readUnsigned(map[byte]int{'K': 1, 'M': 2}[op])
		return errors.Join(err, u.pushValue(int64(n)))
	case 'J': // BININT
		n, err := u.readUnsigned(4)
		return errors.Join(err, u.pushValue(int64(int32(uint32(n)))))
	case 'G': // BINFLOAT, big-endian
		b, err := u.readBytes(8)
		if err != nil {
			return err
		}
		return u.pushValue(math.Float64frombits(binary.BigEndian.Uint64(b)))
	}
	size, err := u.readByte() // LONG1
	if err != nil {
		return err
	}
	b, err := u.readBytes(int(size))
	if err != nil {
		return err
	}
	if size > 8 {
		return u.pushValue(b)
	}
	return u.pushValue(parseSigned(b))
}

// parseSigned returns a little-endian two's complement integer of up to 8 bytes.
func parseSigned(b []byte) int64 {
	if len(b) == 0 {
		return 0
	}
	fill := byte(int8(b[len(b)-1]) >> 7)
	whole := []byte{fill, fill, fill, fill, fill, fill, fill, fill}
	copy(whole, b)
	return int64(binary.LittleEndian.Uint64(whole))
}

// pushText pushes a string with a length field of 4 bytes or one.
func (u *tensorUnpickler) pushText(op byte) error {
	width := 4
	if op == 0x8c || op == 'U' {
		width = 1
	}
	n, err := u.readUnsigned(width)
	if err != nil {
		return err
	}
	if n > maxText {
		return fmt.Errorf("a string of %d bytes; at most %d are accepted", n, maxText)
	}
	b, err := u.readBytes(int(n))
	if err != nil {
		return err
	}
	return u.pushValue(string(b))
}

// runMemo runs the memo opcodes: it stores the top of the stack, or pushes a stored value.
func (u *tensorUnpickler) runMemo(op byte) error {
	if op == 0x94 { // MEMOIZE
		v, err := u.topValue()
		u.memo[uint32(len(u.memo))] = v
		return err
	}
	width := 1
	if op == 'r' || op == 'j' {
		width = 4
	}
	n, err := u.readUnsigned(width)
	if err != nil {
		return err
	}
	if op == 'q' || op == 'r' { // BINPUT, LONG_BINPUT
		v, err := u.topValue()
		u.memo[uint32(n)] = v
		return err
	}
	v, ok := u.memo[uint32(n)]
	if !ok {
		return fmt.Errorf("memo %d was never written", n)
	}
	return u.pushValue(v)
}

// runCollection builds tuples, lists and dictionaries.
func (u *tensorUnpickler) runCollection(op byte) error {
	switch op {
	case ')':
		return u.pushContainer(pickleTuple{})
	case ']':
		return u.pushContainer(&pickleList{})
	case '}':
		return u.pushContainer(pickleDict{})
	case 't', 0x85, 0x86, 0x87: // TUPLE, TUPLE1, TUPLE2, TUPLE3
		items, err := u.popItems(op == 't', int(op)-0x84)
		if err != nil {
			return err
		}
		return u.pushContainer(pickleTuple(items))
	case 'a', 'e': // APPEND, APPENDS
		return u.extendCollection(op)
	}
	return u.setItems(op)
}

// popItems pops the values pushed since the last mark, or the last n values.
func (u *tensorUnpickler) popItems(marked bool, n int) ([]any, error) {
	if marked {
		return u.popMarked()
	}
	return u.popN(n)
}

func (u *tensorUnpickler) extendCollection(op byte) error {
	items, err := u.popItems(op == 'e', 1)
	if err != nil {
		return err
	}
	target, err := u.topValue()
	if err != nil {
		return err
	}
	l, ok := target.(*pickleList)
	if !ok {
		return fmt.Errorf("cannot append items to a %T", target)
	}
	l.items = append(l.items, items...)
	return nil
}

// setItems adds pairs of key and value to a dictionary: one, or all since the last mark.
func (u *tensorUnpickler) setItems(op byte) error {
	items, err := u.popItems(op == 'u', 2)
	if err != nil {
		return err
	}
	target, err := u.topValue()
	if err != nil {
		return err
	}
	d, ok := target.(pickleDict)
	if !ok || len(items)%2 != 0 {
		return fmt.Errorf("cannot set %d keys and values in a %T", len(items), target)
	}
	for i := 0; i < len(items); i += 2 {
		key, ok := items[i].(string)
		if !ok {
			return fmt.Errorf("a dictionary has a key of type %T, want a string", items[i])
		}
		if _, twice := d[key]; twice {
			return fmt.Errorf("the key %q occurs twice", key)
		}
		d[key] = items[i+1]
	}
	return nil
}

func (u *tensorUnpickler) readByte() (byte, error) {
	b, err := u.readBytes(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// readBytes reads n bytes.
func (u *tensorUnpickler) readBytes(n int) ([]byte, error) {
	if u.read += n; u.read > maxPickle {
		return nil, errTooLarge
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(u.in, b); err != nil {
		return nil, fmt.Errorf("the pickle is truncated: %w", err)
	}
	return b, nil
}

// readUnsigned reads a little-endian unsigned integer of n bytes.
func (u *tensorUnpickler) readUnsigned(n int) (uint64, error) {
	b, err := u.readBytes(n)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(append(b, make([]byte, 8-n)...)), nil
}

func (u *tensorUnpickler) pushValue(v any) error {
	u.stack = append(u.stack, v)
	return nil
}

// pushContainer pushes a new tuple, list or dictionary, up to [maxContainers].
func (u *tensorUnpickler) pushContainer(v any) error {
	if u.containers++; u.containers > maxContainers {
		return errTooLarge
	}
	return u.pushValue(v)
}

func (u *tensorUnpickler) popValue() (any, error) {
	if len(u.stack) == 0 {
		return nil, errUnderflow
	}
	v := u.stack[len(u.stack)-1]
	u.stack = u.stack[:len(u.stack)-1]
	return v, nil
}

// topValue returns the top of the stack without popping it.
func (u *tensorUnpickler) topValue() (any, error) {
	if len(u.stack) == 0 {
		return nil, errUnderflow
	}
	return u.stack[len(u.stack)-1], nil
}

// popMarked pops the values pushed since the last mark, and the mark.
func (u *tensorUnpickler) popMarked() ([]any, error) {
	for i, v := range slices.Backward(u.stack) {
		if _, ok := v.(pickleMark); ok {
			items := append([]any(nil), u.stack[i+1:]...)
			u.stack = u.stack[:i]
			return items, nil
		}
	}
	return nil, errUnderflow
}

// popN pops the last n values.
func (u *tensorUnpickler) popN(n int) ([]any, error) {
	if len(u.stack) < n {
		return nil, errUnderflow
	}
	items := append([]any(nil), u.stack[len(u.stack)-n:]...)
	u.stack = u.stack[:len(u.stack)-n]
	return items, nil
}
