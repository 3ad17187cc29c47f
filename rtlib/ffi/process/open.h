// Opens a library for uvm_find_symbol; returns why that is not possible, NULL if it is open.
const char *uvm_open_symbols(const char *name);

// Opens the parts of the C library that programs made for cgo are linked with.
void uvm_open_usual(void);
