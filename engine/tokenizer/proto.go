package tokenizer

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// FromSentencePiece reads a tokenizer.model: sentencepiece_model.proto's ModelProto. It returns
// an error if that is invalid, has an unsupported type, or lacks byte pieces for its byte fallback.
func FromSentencePiece(model []byte) (*Tokenizer, error) {
	t := &Tokenizer{algorithm: unigram, norm: textNormalizer{prefix: true, trim: true, escape: true}}
	var fallback bool
	err := eachField(model, func(f protoField) (err error) {
		switch f.number {
		case 1:
			var p vocabularyPiece
			p, err = parsePiece(f.bytes)
			t.pieces = append(t.pieces, p)
		case 2:
			fallback, err = t.parseTrainer(f.bytes)
		case 3:
			err = t.parseNormalizer(f.bytes)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tokenizer model: %w", err)
	}
	if err := t.checkModel(); err != nil {
		return nil, fmt.Errorf("tokenizer model: %w", err)
	}
	t.buildIndex()
	if fallback {
		octets := t.bytePieces()
		if len(octets) != 256 {
			return nil, fmt.Errorf("tokenizer model: byte fallback with %d of 256 byte pieces", len(octets))
		}
		t.bytes = octetTable(octets)
	}
	return t, nil
}

// checkModel refuses the models that SentencePiece refuses.
func (t *Tokenizer) checkModel() error {
	switch t.algorithm {
	case unigram, bpe, characters:
	default:
		return fmt.Errorf("model type %d is not supported; want unigram (1), BPE (2) or character (4)", t.algorithm)
	}
	seen := make(map[string]bool, len(t.pieces))
	unknowns := 0
	for id, p := range t.pieces {
		if p.text == "" || seen[p.text] {
			return fmt.Errorf("piece %d %q is empty or occurs twice", id, p.text)
		}
		if math.IsNaN(float64(p.score)) {
			return fmt.Errorf("piece %d %q has no score", id, p.text)
		}
		seen[p.text] = true
		if p.kind == unknown {
			unknowns++
		}
	}
	if unknowns != 1 {
		return fmt.Errorf("%d unknown pieces, want 1", unknowns)
	}
	return nil
}

func parsePiece(b []byte) (vocabularyPiece, error) {
	p := vocabularyPiece{kind: normal}
	err := eachField(b, func(f protoField) error {
		switch f.number {
		case 1:
			p.text = string(f.bytes)
		case 2:
			p.score = math.Float32frombits(uint32(f.varint))
		case 3:
			p.kind = pieceKind(f.varint)
		}
		return nil
	})
	return p, err
}

// parseTrainer reads the supported fields of TrainerSpec.
func (t *Tokenizer) parseTrainer(b []byte) (fallback bool, err error) {
	err = eachField(b, func(f protoField) error {
		switch f.number {
		case 3:
			t.algorithm = encodingAlgorithm(f.varint)
		case 24:
			t.norm.suffix = f.varint != 0
		case 35:
			fallback = f.varint != 0
		}
		return nil
	})
	return fallback, err
}

// parseNormalizer reads the supported fields of NormalizerSpec.
func (t *Tokenizer) parseNormalizer(b []byte) error {
	return eachField(b, func(f protoField) (err error) {
		switch f.number {
		case 2:
			t.norm.table, err = parseCharsmap(f.bytes)
		case 3:
			t.norm.prefix = f.varint != 0
		case 4:
			t.norm.trim = f.varint != 0
		case 5:
			t.norm.escape = f.varint != 0
		}
		return err
	})
}

// protoField is one field of a message. Numbers of any width are in varint.
type protoField struct {
	number protowire.Number
	varint uint64
	bytes  []byte
}

var errWire = errors.New("not a protocol buffer")

// eachField calls visit for the fields of a message in order.
func eachField(b []byte, visit func(protoField) error) error {
	for len(b) > 0 {
		number, wire, n := protowire.ConsumeTag(b)
		if n < 0 {
			return errWire
		}
		b = b[n:]
		n = protowire.ConsumeFieldValue(number, wire, b)
		if n < 0 {
			return errWire
		}
		f := protoField{number: number}
		switch wire {
		case protowire.VarintType:
			f.varint, _ = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			f.bytes, _ = protowire.ConsumeBytes(b)
		case protowire.Fixed32Type:
			v, _ := protowire.ConsumeFixed32(b)
			f.varint = uint64(v)
		}
		if err := visit(f); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
