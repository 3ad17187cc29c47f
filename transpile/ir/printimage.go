package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// imageKinds are the kinds of stores in an image, as Print writes them.
var imageKinds = [...]string{
	ImageConst: "const", ImageObjRef: "ref", ImageAddr: "addr", ImageCopy: "copy",
	ImageTagFP: "tagfp", ImageTagInt: "tagint", ImageTagRef: "tagref",
}

func (pr *printer) image() {
	im := pr.p.Image
	if im == nil {
		return
	}
	pr.printf("\nimage\n")
	for i := range im.Objects {
		o := &im.Objects[i]
		name := "$" + strconv.Quote(o.Name)
		if strings.HasPrefix(o.Name, "$") && plainName(o.Name[1:]) {
			name = o.Name
		}
		pr.printf("object %s: %s %d\n", name, pr.typ(o.Type), o.Len)
	}
	for i := range im.Inits {
		in := &im.Inits[i]
		if int(in.Kind) >= len(imageKinds) {
			pr.printf("init ?kind%d\n", in.Kind)
			continue
		}
		pr.printf("init %s = %s ", pr.location(&in.To), imageKinds[in.Kind])
		switch in.Kind {
		case ImageConst:
			pr.printf("%s\n", pr.constant(in.Const, 0))
		case ImageTagFP, ImageTagInt:
			pr.printf("%d\n", in.Bits)
		case ImageTagRef:
			pr.printf("%s %d\n", pr.location(&in.From), in.Tag)
		default:
			pr.printf("%s\n", pr.location(&in.From))
		}
	}
}

// location spells a location of the image: $n with the number of an object, or
// a cell, and the path.
func (pr *printer) location(l *ImageLoc) string {
	if l.Global == nil && l.Object < 0 {
		return "null"
	}
	s := fmt.Sprintf("$%d", l.Object)
	if l.Global != nil {
		s = global(l.Global.Name)
	}
	path := make([]string, len(l.Path))
	for i, n := range l.Path {
		path[i] = strconv.FormatUint(n, 10)
	}
	return s + "[" + strings.Join(path, " ") + "]: " + pr.typ(l.Type)
}
