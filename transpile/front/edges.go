package front

import "github.com/uvm2go/uvm2go/transpile/mu/nodes"

// Variables become parameters of the blocks at whose beginning they are alive: from each use back to the values that
// reach it. An edge passes the value that the variable has at the end of its block, an exceptional edge the one that it
// had before the instruction.

// incoming finds the variables that are alive at the beginning of each block. It reports those without a value, and
// whether there are none.
func (b *Body) incoming() bool {
	preds := map[*Block][]edge{}
	for _, k := range b.blocks {
		for i, in := range k.insts {
			for _, d := range in.dests {
				if d.to.Block != nil && d.to.Block.body == b {
					preds[d.to.Block] = append(preds[d.to.Block], edge{k, i, d.exceptional})
				}
			}
		}
	}
	ok := true
	for _, x := range b.vars {
		var work []*Block
		for _, k := range b.blocks {
			if _, alive := k.in[x]; alive {
				work = append(work, k)
			}
		}
		for len(work) > 0 {
			k := work[len(work)-1]
			work = work[:len(work)-1]
			if k == b.Entry {
				b.p.errorf(k.in[x].at, "variable %s of %s has no value on some way to here", x.name, b.f.name)
				ok = false
				continue
			}
			for _, e := range preds[k] {
				_, before := e.from.in[x]
				e.value(x, k.in[x].at)
				if _, now := e.from.in[x]; now && !before {
					work = append(work, e.from)
				}
			}
		}
	}
	return ok
}

// An edge leads out of a block, from an instruction.
type edge struct {
	from        *Block
	inst        int
	exceptional bool
}

// value is the value of a variable on the edge.
func (e edge) value(x *variable, at Pos) Value {
	after := len(e.from.insts)
	if e.exceptional {
		after = e.inst
	}
	return e.from.valueOf(x, after, at)
}

// emit makes the calls of the body.
func (b *Body) emit() (calls []call) {
	if !b.incoming() {
		return nil
	}
	p := b.p
	add := func(pos Pos, row string, args ...any) {
		calls = append(calls, call{pos, nodes.IDRowNamed(row), p.args(pos, row, args)})
	}
	var blocks []thing
	for _, k := range b.blocks {
		blocks = append(blocks, k.id)
	}
	add(b.start, "new_func_ver", b.ver, b.f.Value, blocks)
	for _, k := range b.blocks {
		params, types := k.params[:len(k.params):len(k.params)], k.types[:len(k.types):len(k.types)]
		for _, x := range b.vars {
			if in, ok := k.in[x]; ok {
				params, types = append(params, in.value), append(types, x.typ)
			}
		}
		var insts []thing
		for _, in := range k.insts {
			insts = append(insts, in.id)
		}
		add(k.at, "new_bb", k.id, params, types, k.exc, insts)
		for i, in := range k.insts {
			for _, d := range in.dests {
				args := d.to.Args[:len(d.to.Args):len(d.to.Args)]
				var to thing
				if d.to.Block != nil {
					to = d.to.Block.id
					for _, x := range b.vars {
						if in, ok := d.to.Block.in[x]; ok && d.to.Block.body == b {
							args = append(args, edge{k, i, d.exceptional}.value(x, in.at))
						}
					}
				}
				add(in.pos, "new_dest_clause", d.id, to, args)
			}
			if in.exc.id != 0 {
				add(in.pos, "new_exc_clause", in.exc, in.dests[0].id, in.dests[1].id)
			}
			if in.keep.id != 0 {
				add(in.pos, "new_keepalive_clause", in.keep, in.alive)
			}
			for _, c := range in.clauses {
				add(in.pos, c.row, c.args...)
			}
			add(in.pos, in.row, in.args()...)
		}
	}
	return calls
}
