package lang

// A Divider is a Builder for a text that is a list of definitions, of which functions are divided into blocks.
type Divider struct {
	*Builder
	Item, Fn, Block int32 // the open definition, function and block, or Global
}

// NewDivider makes a divider for a text, whose comments go to the end of the line.
func NewDivider(src []byte) *Divider {
	return &Divider{NewBuilder(src, false), Global, Global, Global}
}

// Begin begins a definition; the one before ends with its last token. The caller says if it is a function.
func (d *Divider) Begin(k Kind, off uint32) {
	if d.Item != Global {
		d.Close(d.Item, d.Last())
	}
	d.Item, d.Fn, d.Block = d.Open(k, off), Global, Global
}

// BeginBlock begins a block with its name; the one before ends with its last token.
func (d *Divider) BeginBlock(off, end uint32) {
	if d.Block != Global {
		d.Close(d.Block, d.Last())
	}
	d.Block = d.Open(Block, off)
	d.Label(d.Block, off, end)
}

// End ends the definition, if one is open, and its last block at the end of the token before the brace.
func (d *Divider) End(last, end uint32) {
	if d.Block != Global {
		d.Close(d.Block, last)
	}
	if d.Item != Global {
		d.Close(d.Item, end)
	}
	d.Item, d.Fn, d.Block = Global, Global, Global
}
