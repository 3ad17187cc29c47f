-- Lua twin of the kernel deltablue: the incremental solver of one-way constraints, size rounds of a
-- chain of equalities and of a projection: objects, growing lists and method calls.

local LINKS <const> = 100 -- equalities of the chain, points of the projection
local SETS <const> = 100 -- how often the chain's first variable is set
local TURNS <const> = 10 -- how often a plan is carried out for a change

-- How much a constraint matters, the strongest first.
local REQUIRED <const>, PREFERRED <const>, STRONG_DEFAULT <const>, NORMAL <const>, WEAKEST <const> = 0, 2, 3, 4, 6

local Variable = {}
Variable.__index = Variable

local function variable(value)
    return setmetatable({
        value = value,
        constraints = {},
        by = nil, -- that determines it
        mark = 0,
        walk = WEAKEST, -- the weakest that would have to give way for another value
        stay = true, -- does not change while plans are carried out
    }, Variable)
end

function Variable:add(c)
    self.constraints[#self.constraints + 1] = c
end

function Variable:drop(c)
    for i, x in ipairs(self.constraints) do
        if x == c then
            table.remove(self.constraints, i)
            break
        end
    end
    if self.by == c then
        self.by = nil
    end
end

-- Appends the constraints for which this is an input.
function Variable:consumers(found)
    local constraints, by = self.constraints, self.by
    for i = 1, #constraints do
        local c = constraints[i]
        if c ~= by and c:satisfied() then
            found[#found + 1] = c
        end
    end
end

-- Whether the value is known once all variables with the mark are computed.
function Variable:known(mark)
    return self.mark == mark or self.stay or not self.by
end

-- A constraint of one variable.
local Unary = {}

function Unary:insert()
    self.out:add(self)
end

function Unary:remove()
    self.out:drop(self)
end

function Unary:choose(mark)
    self.holds = self.out.mark ~= mark and self.strength < self.out.walk
end

function Unary:mark_inputs() end

function Unary:known()
    return true
end

function Unary:satisfied()
    return self.holds
end

function Unary:unsatisfy()
    self.holds = false
end

function Unary:output()
    return self.out
end

function Unary:execute() end

-- A class with what another one has.
local function derived(base)
    local class = {}
    for k, v in pairs(base) do
        class[k] = v
    end
    class.__index = class
    return class
end

-- Keeps a variable as it is.
local Stay = derived(Unary)

function Stay:recalculate()
    self.out.walk = self.strength
    self.out.stay = true
end

-- Lets a variable be set from outside.
local Edit = derived(Unary)
Edit.from_outside = true

function Edit:recalculate()
    self.out.walk = self.strength
    self.out.stay = false
end

local function unary(class, strength, out)
    return setmetatable({strength = strength, out = out, holds = false}, class)
end

local NONE <const>, FORWARD <const>, BACKWARD <const> = 0, 1, 2

-- v1 = v2: each variable can be computed from the other.
local Equality = derived({})

function Equality:insert()
    self.v1:add(self)
    self.v2:add(self)
end

function Equality:remove()
    self.v1:drop(self)
    self.v2:drop(self)
end

function Equality:choose(mark)
    local v1, v, way = self.v1, self.v2, FORWARD
    if v.mark == mark or v1.mark ~= mark and v.walk < v1.walk then
        v, way = v1, BACKWARD
    end
    self.way = v.mark ~= mark and self.strength < v.walk and way or NONE
end

function Equality:input()
    return self.way == FORWARD and self.v1 or self.v2
end

function Equality:output()
    return self.way == FORWARD and self.v2 or self.v1
end

function Equality:mark_inputs(mark)
    self:input().mark = mark
end

function Equality:known(mark)
    return self:input():known(mark)
end

function Equality:satisfied()
    return self.way ~= NONE
end

function Equality:unsatisfy()
    self.way = NONE
end

function Equality:execute()
    self:output().value = self:input().value
end

function Equality:recalculate()
    local source, out = self:input(), self:output()
    out.walk = math.max(self.strength, source.walk)
    out.stay = source.stay
    if out.stay then
        self:execute()
    end
end

local function equality(v1, v2)
    return setmetatable({strength = REQUIRED, v1 = v1, v2 = v2, way = NONE}, Equality)
end

-- v2 = v1 * factor + offset
local Scale = derived(Equality)

function Scale:insert()
    Equality.insert(self)
    self.factor:add(self)
    self.offset:add(self)
end

function Scale:remove()
    Equality.remove(self)
    self.factor:drop(self)
    self.offset:drop(self)
end

function Scale:mark_inputs(mark)
    self:input().mark = mark
    self.factor.mark = mark
    self.offset.mark = mark
end

function Scale:known(mark)
    return self:input():known(mark) and self.factor:known(mark) and self.offset:known(mark)
end

function Scale:execute()
    if self.way == FORWARD then
        self.v2.value = self.v1.value * self.factor.value + self.offset.value
    else
        self.v1.value = (self.v2.value - self.offset.value) // self.factor.value
    end
end

function Scale:recalculate()
    local source, out = self:input(), self:output()
    out.walk = math.max(self.strength, source.walk)
    out.stay = source.stay and self.factor.stay and self.offset.stay
    if out.stay then
        self:execute()
    end
end

local function scale(v1, v2, factor, offset)
    return setmetatable({strength = REQUIRED, v1 = v1, v2 = v2, way = NONE, factor = factor, offset = offset}, Scale)
end

-- The planner.
local solver = {mark = 0, failures = 0}

function solver:new_mark()
    self.mark = self.mark + 1
    return self.mark
end

-- Recalculates the values that depend on c. If c depends on itself it is given up.
function solver:propagate(c, mark)
    local todo = {c}
    while #todo > 0 do
        local d = table.remove(todo)
        local out = d:output()
        if out.mark == mark then
            self:retract(c)
            return false
        end
        d:recalculate()
        out:consumers(todo)
    end
    return true
end

-- Satisfies c if it can; returns the constraint that has to give way, or nil.
function solver:satisfy(c, mark)
    c:choose(mark)
    if not c:satisfied() then
        if c.strength == REQUIRED then
            self.failures = self.failures + 1
        end
        return nil
    end
    c:mark_inputs(mark)
    local out = c:output()
    local old = out.by
    if old then
        old:unsatisfy()
    end
    out.by = c
    if not self:propagate(c, mark) then
        self.failures = self.failures + 1
        return nil
    end
    out.mark = mark
    return old
end

-- Satisfies c and, then, one after the other, the constraints that had to give way.
function solver:enforce(c)
    local mark = self:new_mark()
    while c do
        c = self:satisfy(c, mark)
    end
end

-- Recalculates the values that depend on a variable that nothing determines any more; gives the
-- unsatisfied constraints on the way.
local function release(out)
    out.by = nil
    out.walk = WEAKEST
    out.stay = true
    local open, todo = {}, {out}
    while #todo > 0 do
        local v = table.remove(todo)
        for _, c in ipairs(v.constraints) do
            if not c:satisfied() then
                open[#open + 1] = c
            elseif c ~= v.by then
                c:recalculate()
                todo[#todo + 1] = c:output()
            end
        end
    end
    return open
end

-- Gives up a satisfied constraint and satisfies others in its place, the strongest first.
function solver:retract(c)
    local out = c:output()
    c:unsatisfy()
    c:remove()
    local open = release(out)
    for strength = REQUIRED, WEAKEST do
        for _, u in ipairs(open) do
            if u.strength == strength then
                self:enforce(u)
            end
        end
    end
end

function solver:add(c)
    c:insert()
    self:enforce(c)
end

function solver:delete(c)
    if c:satisfied() then
        self:retract(c)
    else
        c:remove()
    end
end

-- The constraints to execute, in order, when what a source determines changes.
function solver:plan(source)
    local todo, plan = {}, {}
    if source.from_outside and source:satisfied() then
        todo[1] = source
    end
    local mark = self:new_mark()
    while #todo > 0 do
        local c = table.remove(todo)
        local out = c:output()
        if out.mark ~= mark and c:known(mark) then
            plan[#plan + 1] = c
            out.mark = mark
            out:consumers(todo)
        end
    end
    return plan
end

local function execute(plan)
    for i = 1, #plan do
        plan[i]:execute()
    end
end

local function fold(sum, variables)
    for _, v in ipairs(variables) do
        sum = (sum * 31 + v.value) * 31 + v.walk + (v.stay and 1 or 0)
    end
    return sum
end

-- Equalities in a row, with a stay at the far end that an edit of the first variable outranks.
local function chain(turn)
    local vs = {}
    for i = 1, LINKS + 1 do
        vs[i] = variable(turn)
    end
    for i = 1, LINKS do
        solver:add(equality(vs[i], vs[i + 1]))
    end
    local first, last = vs[1], vs[LINKS + 1]
    solver:add(unary(Stay, STRONG_DEFAULT, last))
    local edit = unary(Edit, PREFERRED, first)
    solver:add(edit)
    local plan = solver:plan(edit)
    for i = 0, SETS - 1 do
        first.value = turn + i
        execute(plan)
        if last.value ~= turn + i then
            solver.failures = solver.failures + 1
        end
    end
    solver:delete(edit)
    return fold(#plan, vs)
end

-- Sets a variable by an edit; returns the size of the plan.
local function change(v, value)
    local edit = unary(Edit, PREFERRED, v)
    solver:add(edit)
    local plan = solver:plan(edit)
    for _ = 1, TURNS do
        v.value = value
        execute(plan)
    end
    solver:delete(edit)
    return #plan
end

-- Points, each the image of another one by the same factor and offset; changes a point, an
-- image, the factor and the offset.
local function projection(turn)
    local factor, offset, source, image = variable(10), variable(1000), {}, {}
    for i = 1, LINKS do
        source[i] = variable(turn + i - 1)
        image[i] = variable(i - 1)
        solver:add(unary(Stay, NORMAL, source[i]))
        solver:add(scale(source[i], image[i], factor, offset))
    end
    local sum = change(source[LINKS], turn + 17)
    sum = fold(sum * 31, image)
    sum = sum * 31 + change(image[LINKS], turn * 10 + 1050)
    sum = fold(sum, source)
    sum = sum * 31 + change(factor, 5)
    sum = fold(sum, image)
    sum = sum * 31 + change(offset, 2000)
    sum = fold(sum, image)
    return fold(sum, {factor, offset})
end

local function run(size)
    local sum = 0
    for i = 0, size - 1 do
        sum = sum * 31 + chain(i)
        sum = sum * 31 + projection(i)
    end
    return sum * 31 + solver.failures
end

local size = math.tointeger(arg[1]) or 6000
print(string.format("trap deltablue.done checksum=%d", run(size)))
