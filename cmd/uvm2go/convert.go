package main

// forms are what convert can make; the value says whether this version can.
var forms = map[string]bool{"uir": true, "uirb": false, "mu": false, "ial": false, "tvm": false}

func runConvert(e *env, args []string) int {
	fs := newFlags("convert")
	to := fs.String("to", "", "`form` to convert to: uir (canonical text)")
	out := fs.String("o", "", "write to `FILE` instead of standard output")
	files, status, done := e.parseFlags(fs, "convert -to FORM [-o FILE] BUNDLE", args)
	if done {
		return status
	}
	ready, known := forms[*to]
	switch {
	case *to == "":
		return e.errorf("convert: -to is missing (uvm2go convert -h shows the usage)")
	case !known:
		return e.errorf("convert: unknown form %q: want uir", *to)
	case !ready:
		return e.errorf("convert: this version cannot write form %s: the binary forms of the 2016 edition cannot express goto-with-values code, and other dialects are not read yet", *to)
	case len(files) != 1:
		return e.errorf("convert: want one bundle, got %d", len(files))
	}
	src, err := e.read(files[0])
	if err != nil {
		return e.errorf("%v", err)
	}
	text, status := e.formatted(src)
	if status != statusOK {
		return status
	}
	if *out == "" {
		e.stdout.Write(text)
		return statusOK
	}
	if err := replaceFile(*out, text); err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}
