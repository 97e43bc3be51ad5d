package tablefile

// BlockContents returns the blocks as Badger reads them.
func (t *TableFile) BlockContents() (all []string) {
	for _, b := range t.blocks {
		content, err := decompressBlock(t.content[b.offset:b.offset+b.bytes], t.form.Compression)
		if err != nil {
			return nil
		}
		all = append(all, string(content))
	}
	return all
}
