package blob

import (
	"fmt"
	"os"
)

// FixHeader repairs a recording after a crash of its writer: the sizes in the WAV header are set to those of the file,
// which is truncated to whole frames. A file shorter than its header becomes an empty recording. A correct recording is
// not touched. It must not be called while the recording is being written; the error is fs.ErrNotExist for a missing
// one.
func (f *RecordingFolder) FixHeader(name string) error {
	if err := checkName("fix", name); err != nil {
		return err
	}
	file, err := f.root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = fixHeader(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("the recording %s cannot be repaired: %w", name, err)
	}
	return nil
}

func fixHeader(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	sound := max(0, info.Size()-headerSize) / frameBytes * frameBytes
	sound = min(sound, maxSound)
	want, have := wavHeader(sound), make([]byte, headerSize)
	if info.Size() == headerSize+sound {
		if _, err := file.ReadAt(have, 0); err != nil {
			return err
		}
		if string(have) == string(want) {
			return nil
		}
	}
	if _, err := file.WriteAt(want, 0); err != nil {
		return err
	}
	if err := file.Truncate(headerSize + sound); err != nil {
		return err
	}
	return file.Sync()
}
