package passes

// nameSites gives instructions the names that messages show them by.
//
// Needs: a body as read. Changes: Inst.Name. Leaves: names that other passes
// may carry anywhere, into other functions too.
func nameSites(u *unit) int { return u.v.NameSites() }
