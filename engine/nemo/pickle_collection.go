package nemo

import (
	"fmt"
)

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
