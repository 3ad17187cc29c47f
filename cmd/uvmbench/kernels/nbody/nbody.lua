-- Lua twin of the kernel nbody: the sun and four planets, size steps: doubles in the fields of
-- objects.

local sqrt = math.sqrt
local SOLAR_MASS <const>, YEAR <const>, DT <const> = 39.47841760435743, 365.24, 0.01

local function body(x, y, z, vx, vy, vz, mass)
    return {x = x + 0.0, y = y + 0.0, z = z + 0.0, vx = vx + 0.0, vy = vy + 0.0, vz = vz + 0.0, mass = mass + 0.0}
end

-- The sun, Jupiter, Saturn, Uranus and Neptune; velocities per day, masses in units of the sun's mass.
local bodies = {
    body(0, 0, 0, 0, 0, 0, 1),
    body(4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609),
    body(8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411341, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812),
    body(12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298),
    body(15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451)
}

-- Units of years and of the sun's mass divided by 4 pi squared, total momentum zero.
local function start()
    local px, py, pz = 0.0, 0.0, 0.0
    for _, b in ipairs(bodies) do
        b.vx, b.vy, b.vz, b.mass = b.vx * YEAR, b.vy * YEAR, b.vz * YEAR, b.mass * SOLAR_MASS
        px = px + b.vx * b.mass
        py = py + b.vy * b.mass
        pz = pz + b.vz * b.mass
    end
    local sun = bodies[1]
    sun.vx, sun.vy, sun.vz = -px / SOLAR_MASS, -py / SOLAR_MASS, -pz / SOLAR_MASS
end

local function energy()
    local e = 0.0
    for i, p in ipairs(bodies) do
        e = e + 0.5 * p.mass * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz)
        for j = i + 1, #bodies do
            local q = bodies[j]
            local dx, dy, dz = p.x - q.x, p.y - q.y, p.z - q.z
            e = e - p.mass * q.mass / sqrt(dx * dx + dy * dy + dz * dz)
        end
    end
    return e
end

local function advance(n)
    for i = 1, n do
        local p = bodies[i]
        for j = i + 1, n do
            local q = bodies[j]
            local dx, dy, dz = p.x - q.x, p.y - q.y, p.z - q.z
            local d2 = dx * dx + dy * dy + dz * dz
            local mag = DT / (d2 * sqrt(d2))
            local qm = q.mass * mag
            p.vx = p.vx - dx * qm
            p.vy = p.vy - dy * qm
            p.vz = p.vz - dz * qm
            local pm = p.mass * mag
            q.vx = q.vx + dx * pm
            q.vy = q.vy + dy * pm
            q.vz = q.vz + dz * pm
        end
    end
    for i = 1, n do
        local b = bodies[i]
        b.x = b.x + DT * b.vx
        b.y = b.y + DT * b.vy
        b.z = b.z + DT * b.vz
    end
end

local function run(size)
    start()
    local before = energy()
    for _ = 1, size do
        advance(#bodies)
    end
    local a, b = string.unpack("<i8i8", string.pack("<dd", before, energy()))
    return a ~ b
end

local size = math.tointeger(arg[1]) or 5000000
print(string.format("trap nbody.done checksum=%d", run(size)))
