package nemo

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// runObject handles globals, calls, states and persistent ids.
func (u *tensorUnpickler) runObject(op byte) error {
	switch op {
	case 'c': // GLOBAL
		module, err := u.readLine()
		if err != nil {
			return err
		}
		name, err := u.readLine()
		if err != nil {
			return err
		}
		return u.pushGlobal(module, name)
	case 0x93: // STACK_GLOBAL
		names, err := u.popN(2)
		if err != nil {
			return err
		}
		module, _ := names[0].(string)
		name, _ := names[1].(string)
		return u.pushGlobal(module, name)
	case 'R':
		return u.callGlobal()
	case 'Q': // BINPERSID
		return u.loadPersistent()
	}
	if _, err := u.popValue(); err != nil { // BUILD: the state is a state dict's _metadata, which is not used
		return err
	}
	target, err := u.topValue()
	if err != nil {
		return err
	}
	if _, ok := target.(pickleDict); !ok {
		return fmt.Errorf("cannot set the state of a %T", target)
	}
	return nil
}

// readLine reads up to a line feed.
func (u *tensorUnpickler) readLine() (string, error) {
	var b strings.Builder
	for b.Len() < 256 {
		c, err := u.readByte()
		if err != nil {
			return "", err
		}
		if c == '\n' {
			return b.String(), nil
		}
		b.WriteByte(c)
	}
	return "", errors.New("a global's name is longer than 256 bytes")
}

// pushGlobal accepts only the names that tensors need.
func (u *tensorUnpickler) pushGlobal(module, name string) error {
	g := pickleGlobal(module + "." + name)
	switch _, isStorage := elementSizes[elementType(name)]; {
	case g == orderedDict, g == rebuildTensor, g == rebuildParameter, module == "torch" && isStorage:
		return u.pushValue(g)
	}
	return fmt.Errorf(
		"%w: its weights refer to %s, which is not a tensor and which Python would run", ErrHostile, shortenText(string(g)),
	)
}

// shortenText quotes an untrusted text for a message, at most 100 bytes of it.
func shortenText(s string) string {
	if len(s) > 100 {
		s = s[:100] + "…"
	}
	return fmt.Sprintf("%q", s)
}

// callGlobal calls one of the accepted globals.
func (u *tensorUnpickler) callGlobal() error {
	both, err := u.popN(2)
	if err != nil {
		return err
	}
	args, ok := both[1].(pickleTuple)
	if !ok {
		return fmt.Errorf("a call with arguments of type %T, want a tuple", both[1])
	}
	switch both[0] {
	case orderedDict:
		if len(args) > 0 {
			return errors.New("OrderedDict is called with arguments")
		}
		return u.pushContainer(pickleDict{})
	case rebuildTensor:
		t, err := tensorOf(args)
		if err != nil {
			return err
		}
		return u.pushContainer(t)
	case rebuildParameter:
		if len(args) > 0 {
			if t, ok := args[0].(StoredTensor); ok {
				return u.pushValue(t)
			}
		}
		return errors.New("a parameter without a tensor")
	}
	return fmt.Errorf("cannot call a %T", both[0])
}

// tensorOf implements torch's _rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks).
func tensorOf(args pickleTuple) (StoredTensor, error) {
	if len(args) < 4 {
		return StoredTensor{}, fmt.Errorf("a tensor with %d arguments, want at least 4", len(args))
	}
	s, okStorage := args[0].(*tensorStorage)
	offset, okOffset := args[1].(int64)
	shape, okShape := int64Slice(args[2])
	stride, okStride := int64Slice(args[3])
	if !okStorage || !okOffset || !okShape || !okStride {
		return StoredTensor{}, fmt.Errorf("a tensor of types %T, %T, %T and %T", args[0], args[1], args[2], args[3])
	}
	return newTensor(s, offset, shape, stride)
}

func int64Slice(v any) ([]int64, bool) {
	items, ok := v.(pickleTuple)
	if !ok || len(items) > maxRank {
		return nil, false
	}
	out := make([]int64, len(items))
	for i, item := range items {
		if out[i], ok = item.(int64); !ok {
			return nil, false
		}
	}
	return out, true
}

// loadPersistent reads ("storage", type, key, device, length) and, in the legacy format, a view of another storage.
func (u *tensorUnpickler) loadPersistent() error {
	v, err := u.popValue()
	if err != nil {
		return err
	}
	id, ok := v.(pickleTuple)
	if !ok || len(id) < 5 || id[0] != "storage" {
		return fmt.Errorf("a persistent id is a %T, want torch's storage tuple of five items", v)
	}
	class, okClass := id[1].(pickleGlobal)
	key, okKey := id[2].(string)
	length, okLength := id[4].(int64)
	name, isStorage := strings.CutPrefix(string(class), "torch.")
	kind := elementType(name)
	if !okClass || !okKey || !okLength || !isStorage || elementSizes[kind] == 0 {
		return fmt.Errorf("a storage with items of types %T, %T and %T", id[1], id[2], id[4])
	}
	if len(id) > 5 && id[5] != nil {
		return errors.New("a storage is a view of another one, which torch has not written since version 0.4")
	}
	if length < 0 || length > math.MaxInt64/elementSizes[kind] {
		return fmt.Errorf("a storage of %d numbers", length)
	}
	s := u.storages[key]
	if s == nil {
		s = &tensorStorage{key: key, kind: kind, length: length}
		u.storages[key] = s
	}
	if s.kind != kind || s.length != length {
		return fmt.Errorf("storage %s is both %d × %s and %d × %s", shortenText(key), s.length, s.kind, length, kind)
	}
	return u.pushValue(s)
}
