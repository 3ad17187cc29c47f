package mu

import "testing"

// TestReserve checks that each version has room for exactly its values: parameters, results, and
// constants, each of which is one value however often it occurs.
func TestReserve(t *testing.T) {
	const head = `.typedef @i64 = int<64>
.typedef @i1 = int<1>
.const @c0 <@i64> = 0
.const @c1 <@i64> = 1
.const @c2 <@i64> = 2
.funcsig @i_i = (@i64) -> (@i64)
.funcsig @v_i = () -> (@i64)
.global @g <@i64>
.funcdef @f VERSION %v <@i_i> { `
	for _, body := range []string{
		"%e(<@i64> %n): RET %n",
		"%e(<@i64> %n): %x = ADD <@i64> %n @c1 %y = ADD <@i64> %x @c1 RET %y",
		"%e(<@i64> %n): %x = ADD <@i64> @c1 @c2 %y = LOAD <@i64> @g %z = ADD <@i64> %x %y STORE <@i64> @g %z RET @c0",
		"%e(<@i64> %n): BRANCH %b(@c1 @c2 %n) %b(<@i64> %x <@i64> %y <@i64> %z): %s = ADD <@i64> @c2 %x RET %s",
		"%e(<@i64> %n): %r = CALL <@i_i> @f (@c0) EXC(%ok(%r) %bad(@c1)) KEEPALIVE(%n) %ok(<@i64> %r): RET %r %bad(<@i64> %x) [%exc]: THROW %exc",
		"%e(<@i64> %n): %b = EQ <@i64> %n @c0 %s = SELECT <@i1 @i64> %b @c0 @c0 [%t] TRAP <> KEEPALIVE(%s) RET %s",
	} {
		p, ok, diags, _ := loadSources([]Source{{Name: "a.uir", Text: []byte(head + body + " }\n")}}, true)
		if !ok {
			t.Fatalf("%s: %s", body, printed(diags))
		}
		f := p.Funcs[0]
		if v := f.Versions[0]; cap(v.Values) > len(v.Values)+1 { // Go rounds sizes up
			t.Errorf("%s: room for %d values, has %d", body, cap(v.Values), len(v.Values))
		}
	}
}
