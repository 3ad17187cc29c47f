# Python twin of the kernel deltablue: the incremental solver of one-way constraints, size rounds of
# a chain of equalities and of a projection: objects, growing lists and method calls.

import sys


def signed(n):
    """The low 64 bits of a number, with their sign."""
    n &= (1 << 64) - 1
    return n - (1 << 64) if n >> 63 else n


LINKS = 100  # equalities of the chain, points of the projection
SETS = 100  # how often the chain's first variable is set
TURNS = 10  # how often a plan is carried out for a change

# How much a constraint matters, the strongest first.
REQUIRED, STRONG_PREFERRED, PREFERRED, STRONG_DEFAULT, NORMAL, WEAK_DEFAULT, WEAKEST = range(7)


class Variable:
    __slots__ = ("value", "constraints", "by", "mark", "walk", "stay")

    def __init__(self, value):
        self.value = value
        self.constraints = []
        self.by = None  # that determines it
        self.mark = 0
        self.walk = WEAKEST  # the weakest that would have to give way for another value
        self.stay = True  # does not change while plans are carried out

    def drop(self, constraint):
        self.constraints.remove(constraint)
        if self.by is constraint:
            self.by = None

    def consumers(self, found):
        """Appends the constraints for which this is an input."""
        for c in self.constraints:
            if c is not self.by and c.satisfied():
                found.append(c)

    def known(self, mark):
        """Whether the value is known once all variables with the mark are computed."""
        return self.mark == mark or self.stay or self.by is None


class Unary:
    """A constraint of one variable."""

    __slots__ = ("strength", "out", "holds")
    from_outside = False

    def __init__(self, strength, out):
        self.strength = strength
        self.out = out
        self.holds = False

    def insert(self):
        self.out.constraints.append(self)

    def remove(self):
        self.out.drop(self)

    def choose(self, mark):
        self.holds = self.out.mark != mark and self.strength < self.out.walk

    def mark_inputs(self, mark):
        pass

    def known(self, mark):
        return True

    def satisfied(self):
        return self.holds

    def unsatisfy(self):
        self.holds = False

    def output(self):
        return self.out

    def execute(self):
        pass


class Stay(Unary):
    """Keeps a variable as it is."""

    __slots__ = ()

    def recalculate(self):
        self.out.walk = self.strength
        self.out.stay = True


class Edit(Unary):
    """Lets a variable be set from outside."""

    __slots__ = ()
    from_outside = True

    def recalculate(self):
        self.out.walk = self.strength
        self.out.stay = False


NONE, FORWARD, BACKWARD = range(3)


class Equality:
    """v1 = v2: each variable can be computed from the other."""

    __slots__ = ("strength", "v1", "v2", "way")
    from_outside = False

    def __init__(self, v1, v2):
        self.strength = REQUIRED
        self.v1 = v1
        self.v2 = v2
        self.way = NONE

    def insert(self):
        self.v1.constraints.append(self)
        self.v2.constraints.append(self)

    def remove(self):
        self.v1.drop(self)
        self.v2.drop(self)

    def choose(self, mark):
        v1 = self.v1
        v = self.v2
        way = FORWARD
        if v.mark == mark or (v1.mark != mark and v.walk < v1.walk):
            v = v1
            way = BACKWARD
        self.way = way if v.mark != mark and self.strength < v.walk else NONE

    def input(self):
        return self.v1 if self.way == FORWARD else self.v2

    def output(self):
        return self.v2 if self.way == FORWARD else self.v1

    def mark_inputs(self, mark):
        self.input().mark = mark

    def known(self, mark):
        return self.input().known(mark)

    def satisfied(self):
        return self.way != NONE

    def unsatisfy(self):
        self.way = NONE

    def execute(self):
        self.output().value = self.input().value

    def recalculate(self):
        source = self.input()
        out = self.output()
        out.walk = max(self.strength, source.walk)
        out.stay = source.stay
        if out.stay:
            self.execute()


class Scale(Equality):
    """v2 = v1 * factor + offset"""

    __slots__ = ("factor", "offset")

    def __init__(self, v1, v2, factor, offset):
        Equality.__init__(self, v1, v2)
        self.factor = factor
        self.offset = offset

    def insert(self):
        Equality.insert(self)
        self.factor.constraints.append(self)
        self.offset.constraints.append(self)

    def remove(self):
        Equality.remove(self)
        self.factor.drop(self)
        self.offset.drop(self)

    def mark_inputs(self, mark):
        self.input().mark = mark
        self.factor.mark = mark
        self.offset.mark = mark

    def known(self, mark):
        return self.input().known(mark) and self.factor.known(mark) and self.offset.known(mark)

    def execute(self):
        if self.way == FORWARD:
            self.v2.value = self.v1.value * self.factor.value + self.offset.value
        else:
            self.v1.value = (self.v2.value - self.offset.value) // self.factor.value

    def recalculate(self):
        source = self.input()
        out = self.output()
        out.walk = max(self.strength, source.walk)
        out.stay = source.stay and self.factor.stay and self.offset.stay
        if out.stay:
            self.execute()


class Solver:
    """The planner."""

    __slots__ = ("mark", "failures")

    def __init__(self):
        self.mark = 0
        self.failures = 0

    def new_mark(self):
        self.mark += 1
        return self.mark

    def propagate(self, c, mark):
        """Recalculates the values that depend on c. If c depends on itself it is given up."""
        todo = [c]
        while todo:
            d = todo.pop()
            out = d.output()
            if out.mark == mark:
                self.retract(c)
                return False
            d.recalculate()
            out.consumers(todo)
        return True

    def satisfy(self, c, mark):
        """Satisfies c if it can; returns the constraint that has to give way, or None."""
        c.choose(mark)
        if not c.satisfied():
            if c.strength == REQUIRED:
                self.failures += 1
            return None
        c.mark_inputs(mark)
        out = c.output()
        old = out.by
        if old is not None:
            old.unsatisfy()
        out.by = c
        if not self.propagate(c, mark):
            self.failures += 1
            return None
        out.mark = mark
        return old

    def enforce(self, c):
        """Satisfies c and, then, one after the other, the constraints that had to give way."""
        mark = self.new_mark()
        while c is not None:
            c = self.satisfy(c, mark)

    def retract(self, c):
        """Gives up a satisfied constraint and satisfies others in its place, the strongest first."""
        out = c.output()
        c.unsatisfy()
        c.remove()
        unsatisfied = release(out)
        for strength in range(REQUIRED, WEAKEST + 1):
            for u in unsatisfied:
                if u.strength == strength:
                    self.enforce(u)

    def add(self, c):
        c.insert()
        self.enforce(c)

    def delete(self, c):
        if c.satisfied():
            self.retract(c)
        else:
            c.remove()

    def plan(self, sources):
        """The constraints to execute, in order, when the outputs of the sources change."""
        todo = [c for c in sources if c.from_outside and c.satisfied()]
        plan = []
        mark = self.new_mark()
        while todo:
            c = todo.pop()
            out = c.output()
            if out.mark != mark and c.known(mark):
                plan.append(c)
                out.mark = mark
                out.consumers(todo)
        return plan


def release(out):
    """Recalculates the values that depend on a variable that nothing determines any more; gives the
    unsatisfied constraints on the way."""
    out.by = None
    out.walk = WEAKEST
    out.stay = True
    unsatisfied = []
    todo = [out]
    while todo:
        v = todo.pop()
        for c in v.constraints:
            if not c.satisfied():
                unsatisfied.append(c)
            elif c is not v.by:
                c.recalculate()
                todo.append(c.output())
    return unsatisfied


def execute(plan):
    for c in plan:
        c.execute()


def fold(total, variables):
    for v in variables:
        total = (total * 31 + v.value) * 31 + v.walk + v.stay & (1 << 64) - 1
    return total


def chain(s, turn):
    """Equalities in a row, with a stay at the far end that an edit of the first variable outranks."""
    vs = [Variable(turn) for _ in range(LINKS + 1)]
    for i in range(LINKS):
        s.add(Equality(vs[i], vs[i + 1]))
    first = vs[0]
    last = vs[LINKS]
    s.add(Stay(STRONG_DEFAULT, last))
    edit = Edit(PREFERRED, first)
    s.add(edit)
    plan = s.plan([edit])
    for i in range(SETS):
        first.value = turn + i
        execute(plan)
        if last.value != turn + i:
            s.failures += 1
    s.delete(edit)
    return fold(len(plan), vs)


def change(s, v, value):
    """Sets a variable by an edit; returns the size of the plan."""
    edit = Edit(PREFERRED, v)
    s.add(edit)
    plan = s.plan([edit])
    for _ in range(TURNS):
        v.value = value
        execute(plan)
    s.delete(edit)
    return len(plan)


def projection(s, turn):
    """Points, each the image of another one by the same factor and offset; changes a point, an
    image, the factor and the offset."""
    factor = Variable(10)
    offset = Variable(1000)
    source = []
    image = []
    for i in range(LINKS):
        source.append(Variable(turn + i))
        image.append(Variable(i))
        s.add(Stay(NORMAL, source[i]))
        s.add(Scale(source[i], image[i], factor, offset))
    total = change(s, source[-1], turn + 17)
    total = fold(total * 31, image)
    total = total * 31 + change(s, image[-1], turn * 10 + 1050)
    total = fold(total, source)
    total = total * 31 + change(s, factor, 5)
    total = fold(total, image)
    total = total * 31 + change(s, offset, 2000)
    total = fold(total, image)
    return fold(total, (factor, offset))


def run(size):
    s = Solver()
    total = 0
    for i in range(size):
        total = total * 31 + chain(s, i)
        total = total * 31 + projection(s, i) & (1 << 64) - 1
    return signed(total * 31 + s.failures)


size = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
print(f"trap deltablue.done checksum={run(size)}")
