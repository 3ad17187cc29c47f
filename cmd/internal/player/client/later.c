// The builder of the later generations, whose nodes are IDs.

static MuID *read_ids(MuArraySize *n) {
	MuID *l = list(n, sizeof *l);
	for (MuArraySize i = 0; i < *n; i++) l[i] = read_id();
	return l;
}

// call makes the next call.
static void call(MuIRBuilder *b) {
	switch (read_number()) {
//CALLS
	default:
		broken("no such function", at);
	}
	forget();
	check();
}

static void build(MuCtx *ctx) {
	MuIRBuilder *b = ctx->new_ir_builder(ctx);
	check();
	for (size_t i = 0; i < nsyms; i++) syms[i] = b->gen_sym(b, read_text());
	for (size_t n = read_number(); n; n--) call(b);
	b->load(b);
}
