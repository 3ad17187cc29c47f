# Python twin of the kernel nbody: the sun and four planets, size steps: doubles in the fields of
# objects.

import sys


import math
import struct
SOLAR_MASS = 39.47841760435743
YEAR = 365.24
DT = 0.01


class Body:
    __slots__ = ("x", "y", "z", "vx", "vy", "vz", "mass")

    def __init__(self, x, y, z, vx, vy, vz, mass):
        self.x, self.y, self.z = float(x), float(y), float(z)
        self.vx, self.vy, self.vz = float(vx), float(vy), float(vz)
        self.mass = float(mass)


# The sun, Jupiter, Saturn, Uranus and Neptune; velocities per day, masses in units of the sun's mass.
BODIES = [
    Body(0, 0, 0, 0, 0, 0, 1),
    Body(4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609),
    Body(8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411341, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812),
    Body(12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298),
    Body(15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451),
]


def start(bodies):
    """Units of years and of the sun's mass divided by 4 pi squared, total momentum zero."""
    px = py = pz = 0.0
    for b in bodies:
        b.vx *= YEAR
        b.vy *= YEAR
        b.vz *= YEAR
        b.mass *= SOLAR_MASS
        px += b.vx * b.mass
        py += b.vy * b.mass
        pz += b.vz * b.mass
    sun = bodies[0]
    sun.vx = -px / SOLAR_MASS
    sun.vy = -py / SOLAR_MASS
    sun.vz = -pz / SOLAR_MASS


def energy(bodies):
    e = 0.0
    for i, p in enumerate(bodies):
        e += 0.5 * p.mass * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz)
        for q in bodies[i + 1:]:
            dx = p.x - q.x
            dy = p.y - q.y
            dz = p.z - q.z
            e -= p.mass * q.mass / math.sqrt(dx * dx + dy * dy + dz * dz)
    return e


def advance(bodies, pairs, sqrt=math.sqrt):
    for p, q in pairs:
        dx = p.x - q.x
        dy = p.y - q.y
        dz = p.z - q.z
        d2 = dx * dx + dy * dy + dz * dz
        mag = DT / (d2 * sqrt(d2))
        qm = q.mass * mag
        p.vx -= dx * qm
        p.vy -= dy * qm
        p.vz -= dz * qm
        pm = p.mass * mag
        q.vx += dx * pm
        q.vy += dy * pm
        q.vz += dz * pm
    for b in bodies:
        b.x += DT * b.vx
        b.y += DT * b.vy
        b.z += DT * b.vz


def run(size):
    bodies = BODIES
    pairs = [(p, q) for i, p in enumerate(bodies) for q in bodies[i + 1:]]
    start(bodies)
    before = energy(bodies)
    for _ in range(size):
        advance(bodies, pairs)
    a, b = struct.unpack("<qq", struct.pack("<dd", before, energy(bodies)))
    return a ^ b


size = int(sys.argv[1]) if len(sys.argv) > 1 else 5000000
print(f"trap nbody.done checksum={run(size)}")
