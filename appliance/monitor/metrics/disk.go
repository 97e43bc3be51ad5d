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
		{
			Name: "disk_free_bytes", Help: "Free bytes on the data disk.",
			Value: read(func(s disk.DiskState) uint64 { return s.Free }),
		},
		{
			Name: "disk_size_bytes", Help: "Size of the data disk in bytes.",
			Value: read(func(s disk.DiskState) uint64 { return s.Size }),
		},
	}
}
