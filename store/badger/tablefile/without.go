package tablefile

import (
	"bytes"
	"crypto/aes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/y"
	flatbuffers "github.com/google/flatbuffers/go"
	"google.golang.org/protobuf/proto"
)

// WithoutBlocks returns the file's content with a new index without the damaged blocks, so that Badger reads the blocks
// after them. The blocks keep their offsets. It is an error to leave out all blocks.
func (t *TableFile) WithoutBlocks(damaged []int) ([]byte, error) {
	if len(damaged) >= len(t.blocks) {
		return nil, errors.New("none of its blocks can be read")
	}
	index := t.buildIndex(damaged)
	if t.form.Key != nil {
		var err error
		if index, err = encryptBlock(index, t.form.Key); err != nil {
			return nil, err
		}
	}
	sum := pb.Checksum{Algo: pb.Checksum_CRC32C, Sum: y.CalculateChecksum(index, pb.Checksum_CRC32C)}
	checksum, err := proto.Marshal(&sum)
	if err != nil {
		return nil, err
	}
	content := slices.Concat(t.content[:t.indexStart], index)
	content = binary.BigEndian.AppendUint32(content, uint32(len(index)))
	content = append(content, checksum...)
	return binary.BigEndian.AppendUint32(content, uint32(len(checksum))), nil
}

// buildIndex returns the index without some blocks. All else is kept, including the Bloom filter, which may have false
// positives for the lost keys.
func (t *TableFile) buildIndex(damaged []int) []byte {
	b := flatbuffers.NewBuilder(64 << 10)
	var offsets []flatbuffers.UOffsetT
	for i, block := range t.blocks {
		if slices.Contains(damaged, i) {
			continue
		}
		key := b.CreateByteVector(block.FirstKey)
		fb.BlockOffsetStart(b)
		fb.BlockOffsetAddKey(b, key)
		fb.BlockOffsetAddOffset(b, uint32(block.offset))
		fb.BlockOffsetAddLen(b, uint32(block.bytes))
		offsets = append(offsets, fb.BlockOffsetEnd(b))
	}
	fb.TableIndexStartOffsetsVector(b, len(offsets))
	for _, offset := range slices.Backward(offsets) {
		b.PrependUOffsetT(offset)
	}
	list := b.EndVector(len(offsets))
	var bloom flatbuffers.UOffsetT
	if filter := t.index.BloomFilterBytes(); len(filter) > 0 {
		bloom = b.CreateByteVector(filter)
	}
	fb.TableIndexStart(b)
	fb.TableIndexAddOffsets(b, list)
	fb.TableIndexAddBloomFilter(b, bloom)
	fb.TableIndexAddMaxVersion(b, t.index.MaxVersion())
	fb.TableIndexAddUncompressedSize(b, t.index.UncompressedSize())
	fb.TableIndexAddKeyCount(b, t.index.KeyCount())
	fb.TableIndexAddOnDiskSize(b, t.index.OnDiskSize())
	fb.TableIndexAddStaleDataSize(b, t.index.StaleDataSize())
	b.Finish(fb.TableIndexEnd(b))
	return bytes.Clone(b.FinishedBytes())
}

// encryptBlock encrypts bytes and appends their initialization vector.
func encryptBlock(plain, key []byte) ([]byte, error) {
	content := make([]byte, len(plain)+aes.BlockSize)
	vector := content[len(plain):]
	_, _ = rand.Read(vector) // never returns an error: crypto/rand ends the process instead
	return content, y.XORBlock(content[:len(plain)], plain, key, vector)
}
