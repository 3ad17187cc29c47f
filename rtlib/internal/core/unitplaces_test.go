package core

import "testing"

// TestUnitPlaces: a place is found by its number in the tables of the program and of units, and a unit that has a number of another
// one is refused.
func TestUnitPlaces(t *testing.T) {
	defer func(frames []FrameSite, units []*Program) { current.Frames, unitPlaces = frames, units }(current.Frames, unitPlaces)
	current.Frames = []FrameSite{{Inst: 1}, {Inst: 2}}
	unitPlaces = []*Program{
		{Unit: true, FirstPlace: 1 << 31, Frames: []FrameSite{{Inst: 3}}},
		{Unit: true, FirstPlace: 1<<31 + 10, Frames: []FrameSite{{Inst: 4}, {Inst: 5}}},
	}
	for no, inst := range map[uint32]uint32{1: 1, 2: 2, 1 << 31: 3, 1<<31 + 10: 4, 1<<31 + 11: 5} {
		if got := placeNo(no).Inst; got != inst {
			t.Errorf("place %d is that of instruction %d, want %d", no, got, inst)
		}
	}
	for _, tt := range []struct {
		first uint32
		n     int
		free  bool
	}{
		{1<<31 + 1, 9, true}, {1<<31 + 12, 100, true}, {1<<31 - 5, 5, true}, {1 << 31, 0, true},
		{1<<31 + 1, 10, false}, {1<<31 + 11, 1, false}, {1<<31 + 9, 20, false}, {1 << 31, 1, false},
	} {
		p := &Program{Unit: true, FirstPlace: tt.first, Frames: make([]FrameSite, tt.n)}
		if err := p.placesFree(); (err == nil) != tt.free {
			t.Errorf("%d places from %d on: %v", tt.n, tt.first, err)
		}
	}
}
