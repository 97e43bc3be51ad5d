package metrics

import "munadi/store/disk"

// DiskGauges returns the gauges of the file system of a folder; 0 when it cannot be read.
func DiskGauges(folder string) []Gauge {
	read := func(of func(disk.DiskState) uint64) func() float64 {
		return func() float64 {
			s, err := disk.ReadState(folder)
			if err != nil {
				return 0
			}
			return float64(of(s))
		}
	}
	return []Gauge{
		{"disk_free_bytes", "Free bytes on the data disk.", read(func(s disk.DiskState) uint64 { return s.Free })},
		{"disk_size_bytes", "Size of the data disk in bytes.", read(func(s disk.DiskState) uint64 { return s.Size })},
	}
}
