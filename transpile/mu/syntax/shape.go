package syntax

// Shapes show how instructions are written, as advice in messages about wrong ones. Names in them are
// examples; optional parts are left out.

const blockShape = "%name(<@type> %parameter):"

// opShapes has the shape of each op.
var opShapes = func() (t [NumOps]string) {
	for op := NoOp + 1; op < NumOps; op++ {
		name := op.String()
		switch op.Form() {
		case FormBin, FormCmp:
			t[op] = "%r = " + name + " <@type> %a %b"
		case FormConv:
			t[op] = "%r = " + name + " <@from @to> %a"
		}
	}
	for op, s := range map[Op]string{
		OpSelect:         "%r = SELECT <@i1 @type> %condition %a %b",
		OpBranch:         "BRANCH %block()",
		OpBranch2:        "BRANCH2 %condition %then() %else()",
		OpSwitch:         "SWITCH <@type> %value %default() { @constant %block() }",
		OpCall:           "%r = CALL <@signature> @function (%a %b)",
		OpTailCall:       "TAILCALL <@signature> @function (%a %b)",
		OpRet:            "RET %value",
		OpThrow:          "THROW %ref",
		OpExtractValue:   "%r = EXTRACTVALUE <@struct 0> %value",
		OpInsertValue:    "%r = INSERTVALUE <@struct 0> %value %field",
		OpExtractElement: "%r = EXTRACTELEMENT <@vector @index> %value %index",
		OpInsertElement:  "%r = INSERTELEMENT <@vector @index> %value %index %element",
		OpShuffleVector:  "%r = SHUFFLEVECTOR <@vector @mask> %a %b %mask",
		OpNew:            "%r = NEW <@type>",
		OpAlloca:         "%r = ALLOCA <@type>",
		OpNewHybrid:      "%r = NEWHYBRID <@hybrid @length> %length",
		OpAllocaHybrid:   "%r = ALLOCAHYBRID <@hybrid @length> %length",
		OpGetIRef:        "%r = GETIREF <@type> %ref",
		OpGetFieldIRef:   "%r = GETFIELDIREF <@struct 0> %iref",
		OpGetElemIRef:    "%r = GETELEMIREF <@array @index> %iref %index",
		OpShiftIRef:      "%r = SHIFTIREF <@type @index> %iref %index",
		OpGetVarPartIRef: "%r = GETVARPARTIREF <@hybrid> %iref",
		OpLoad:           "%r = LOAD <@type> %iref",
		OpStore:          "STORE <@type> %iref %value",
		OpCmpXchg:        "(%old %done) = CMPXCHG SEQ_CST SEQ_CST <@type> %iref %expected %desired",
		OpAtomicRMW:      "%old = ATOMICRMW SEQ_CST ADD <@type> %iref %value",
		OpFence:          "FENCE SEQ_CST",
		OpTrap:           "[%name] TRAP <> KEEPALIVE(%a %b)",
		OpWatchpoint:     "[%name] WATCHPOINT 1 <> %disabled() %enabled() KEEPALIVE(%a %b)",
		OpWPBranch:       "WPBRANCH 1 %disabled() %enabled()",
		OpCCall:          "%r = CCALL #DEFAULT <@ufuncptr @signature> %function (%a %b)",
		OpNewThread:      "%thread = NEWTHREAD %stack PASS_VALUES <@type> (%a)",
		OpSwapStack:      "%r = SWAPSTACK %stack RET_WITH <@type> PASS_VALUES <@type> (%a)",
		OpCommInst:       "%r = COMMINST @uvm.name [#FLAG] <@type> <[@signature]> (%a %b)",
	} {
		t[op] = s
	}
	return
}()
