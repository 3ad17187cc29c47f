package lowering

// A model reports whether a machine allows an execution that is coherent.
type model func(x *execution) bool

// tso is x86-TSO: only a read may overtake an earlier write, unless there is MFENCE or an atomic instruction between them
// (Owens, Sarkar and Sewell, 2009; in the axiomatic form of Alglave and Maranget). On z/Architecture it is the same with the serialisation of BCR
// 14,0 and of the interlocked instructions.
func tso(x *execution) bool {
	locked := x.marked(atomic)
	ppo := or(x.po.and(x.r, x.m), x.po.and(x.w, x.w), x.po.and(locked, x.m), x.po.and(x.m, locked))
	return or(ppo, x.fenced("MFENCE", "SYNC"), x.rfe, x.co, x.fr).acyclic()
}

// armv8 is the model of ARMv8 since its revision of 2017, which is multi-copy atomic (Pulte and others, 2018). It has no rule
// that an atomic instruction with acquire and release is a barrier, which later revisions have.
func armv8(x *execution) bool {
	acq, rel := x.marked(acquire)&x.r, x.marked(release)&x.w
	obs := or(x.rfe, x.coe, x.fre)
	dob := or(x.ctrl.and(x.r, x.w), x.isync.and(x.r, x.r))
	atomics := x.where(func(e *event) bool { return e.kind == write && e.marks&atomic != 0 })
	aob := or(x.rmw, x.rfi.and(atomics, acq))
	bob := or(x.fenced("DMB"), x.fenced("DMB.LD").and(x.r, x.m), x.fenced("DMB.ST").and(x.w, x.w),
		x.po.and(rel, acq), x.po.and(acq, x.m), x.po.and(x.m, rel))
	return or(obs, dob, aob, bob).acyclic()
}

// rvwmo is the model of RISC-V ("The RISC-V Instruction Set Manual", volume I, chapter "RVWMO"), rules 1 to 11; dependencies through
// addresses and data are dropped.
func rvwmo(x *execution) bool {
	aq, rl := x.marked(acquire), x.marked(release)
	atomics := x.marked(atomic)
	differ := make(rel, x.n) // reads that read from different writes
	x.r.each(func(a int) {
		x.r.each(func(b int) {
			if x.from[a] != x.from[b] {
				differ.add(a, b)
			}
		})
	})
	writes := make(rel, x.n) // a write of the same location between two reads
	x.r.each(func(a int) {
		x.w.each(func(b int) {
			if x.poloc[a].has(b) {
				writes[a] |= x.poloc[b] & x.r
			}
		})
	})
	ppo := or(
		x.poloc.and(x.m, x.w),                            // 1
		x.poloc.and(x.r, x.r).minus(writes).both(differ), // 2
		x.rfi.and(atomics&x.w, x.r),                      // 3
		x.fenced("FENCE"),                                // 4
		x.fenced("FENCE.R.RW").and(x.r, x.m),
		x.fenced("FENCE.RW.W").and(x.m, x.w),
		x.fenced("FENCE.W.RW").and(x.w, x.m),
		x.fenced("FENCE.TSO").and(x.r, x.m),
		x.fenced("FENCE.TSO").and(x.w, x.w),
		x.po.and(aq, x.m),      // 5
		x.po.and(x.m, rl),      // 6
		x.po.and(aq|rl, aq|rl), // 7
		x.rmw,                  // 8
		x.ctrl.and(x.r, x.w),   // 11
	)
	return or(ppo, x.rfe, x.co, x.fr).acyclic()
}

// power is the model of POWER (Alglave, Maranget and Tautschnig, "Herding cats", 2014). Dependencies through addresses and data are
// dropped.
func power(x *execution) bool {
	rdw := x.poloc.both(x.fre.then(x.rfe))
	detour := x.poloc.both(x.coe.then(x.rfe))
	ii, ci, ic := or(x.rfi, rdw), or(x.isync, detour), make(rel, x.n)
	cc := or(x.poloc, x.ctrl)
	for { // the least solution
		ii2 := or(ii, ci, ic.then(ci), ii.then(ii))
		ic2 := or(ic, ii, cc, ic.then(cc), ii.then(ic))
		ci2 := or(ci, ci.then(ii), cc.then(ci))
		cc2 := or(cc, ci, ci.then(ic), cc.then(cc))
		same := ii2.minus(ii).empty() && ic2.minus(ic).empty() && ci2.minus(ci).empty() && cc2.minus(cc).empty()
		ii, ic, ci, cc = ii2, ic2, ci2, cc2
		if same {
			break
		}
	}
	ppo := or(ii.and(x.r, x.r), ic.and(x.r, x.w))
	sync := x.fenced("SYNC").and(x.m, x.m)
	light := x.fenced("LWSYNC")
	fence := or(sync, light.and(x.r, x.m), light.and(x.w, x.w))
	hb := or(ppo, fence, x.rfe)
	if !hb.acyclic() {
		return false
	}
	hbs := hb.star()
	base := or(fence, x.rfe.then(fence)).then(hbs)
	com := or(x.rf, x.fr, x.co)
	prop := or(base.and(x.w, x.w), com.star().then(base.star(), sync, hbs))
	return x.fre.then(prop, hbs).irreflexive() && or(x.co, prop).acyclic()
}
