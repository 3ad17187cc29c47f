package passes

// nameSites gives instructions the names by which messages refer to them.
//
// Needs: a body as read. Changes: Inst.Name. Leaves: names that other passes
// may carry anywhere, into other functions too.
func nameSites(u *unit) int { return u.v.NameSites() }
