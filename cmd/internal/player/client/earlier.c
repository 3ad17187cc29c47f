// The builder of 2016, whose nodes are handles: nodes has them by the places of their IDs.

static MuIRNode *nodes;

static MuIRNode read_node(MuCtx *ctx, MuBundleNode b) {
	uint64_t n = read_number();
	if (!n) return NULL;
	return n < FIRST ? ctx->get_node(ctx, b, (MuID)n) : nodes[n - FIRST];
}

static MuIRNode *read_nodes(MuCtx *ctx, MuBundleNode b, MuArraySize *n) {
	MuIRNode *l = list(n, sizeof *l);
	for (MuArraySize i = 0; i < *n; i++) l[i] = read_node(ctx, b);
	return l;
}

// call makes the next call.
static void call(MuCtx *ctx, MuBundleNode b) {
	switch (read_number()) {
//CALLS
	default:
		broken("no such function", at);
	}
	forget();
	check();
}

// build builds the bundle, and asks for the IDs that the traps have.
static void build(MuCtx *ctx) {
	nodes = calloc(nsyms + 1, sizeof *nodes);
	MuBundleNode b = ctx->new_bundle(ctx);
	check();
	for (size_t n = read_number(); n; n--) call(ctx, b);
	for (size_t n = read_number(); n; n--) {
		uint64_t i = read_number() - FIRST;
		syms[i] = ctx->get_id(ctx, b, nodes[i]);
	}
	ctx->load_bundle_from_node(ctx, b);
}
