"""The play pack: 29 faces on 40 cards, and which card stands for which in a train.

Vehicles are unique. Those of the four Regions come first, five a Region in the order of a train;
then the five Pool cards; then the signals and the Pass Card, of which there are several.
"""

from __future__ import annotations

from railenvs.engine.compile import rule

REGIONS = ("LMR", "ER", "SR", "WR")
"""London Midland, Eastern, Southern and Western Region; the first two run passenger trains."""
NUM_REGIONS = 4
PASSENGER_REGIONS = 2
ROLES = 5
"""Engine, three coaches or wagons, van: vehicle ``region * ROLES + role``."""
ENGINE, FIRST_CAR, LAST_CAR, VAN = 0, 1, 3, 4

NUM_REGIONAL = NUM_REGIONS * ROLES
POOL_ENGINE, POOL_COACH, POOL_WAGON, POOL_GUARDS_VAN, POOL_BRAKE_VAN = range(
    NUM_REGIONAL, NUM_REGIONAL + 5
)
NUM_POOL = 5
NUM_VEHICLES = NUM_REGIONAL + NUM_POOL

RED, GREEN_1, GREEN_2, PASS = range(NUM_VEHICLES, NUM_VEHICLES + 4)
NUM_FACES = NUM_VEHICLES + 4
NUM_SIGNALS = 3

COPIES = (*(1 for _ in range(NUM_VEHICLES)), 4, 4, 4, 3)
"""Cards of each face."""
PACK_SIZE = 40

REQUEST_KINDS = 3
"""Engine, any coach or wagon, van: request ``region * REQUEST_KINDS + kind``."""
ASK_ENGINE, ASK_CAR, ASK_VAN = range(REQUEST_KINDS)
NUM_REQUESTS = NUM_REGIONS * REQUEST_KINDS

_TRAINS = (
    ("Engine", "First Class Coach", "Third Class Coach", "Restaurant Car", "Guard's Van"),
    ("Engine", "First Class Coach", "Third Class Coach", "Restaurant Car", "Guard's Van"),
    ("Engine", "Gas Cylinder Wagon", "Grain Wagon", "High Open Wagon", "Brake Van"),
    ("Engine", "Low Open Wagon", "Bogie Bolster Wagon", "Covered Wagon", "Brake Van"),
)
FACE_NAMES = (
    *(f"{region} {name}" for region, names in zip(REGIONS, _TRAINS, strict=True) for name in names),
    "Pool Engine",
    "Pool Coach",
    "Pool Wagon",
    "Pool Guard's Van",
    "Pool Brake Van",
    "Red",
    "Green 1",
    "Green 2",
    "Pass",
)
POOL_NAMES = FACE_NAMES[NUM_REGIONAL:NUM_VEHICLES]
VEHICLE_NAMES = FACE_NAMES[:NUM_VEHICLES]
REQUEST_NAMES = tuple(
    f"{region} {name}"
    for region, names in zip(REGIONS, _TRAINS, strict=True)
    for name in ("Engine", "Coach" if region in REGIONS[:PASSENGER_REGIONS] else "Wagon", names[-1])
)


@rule
def pool_for(region: int, role: int) -> int:
    """The Pool card that may stand for a Region's vehicle.

    The Pool Guard's Van stands for the vans that bear that name, those of passenger trains, and
    the Pool Brake Van for those of goods trains.
    """
    goods = region >= PASSENGER_REGIONS
    if role == ENGINE:
        return POOL_ENGINE
    if role == VAN:
        return POOL_BRAKE_VAN if goods else POOL_GUARDS_VAN
    return POOL_WAGON if goods else POOL_COACH


@rule
def first_asked(request: int) -> int:
    """The first vehicle that meets a request."""
    region = request // REQUEST_KINDS
    kind = request - region * REQUEST_KINDS
    role = ENGINE if kind == ASK_ENGINE else FIRST_CAR if kind == ASK_CAR else VAN
    return region * ROLES + role


@rule
def after_asked(request: int) -> int:
    """The first vehicle after those that meet a request."""
    car = request - request // REQUEST_KINDS * REQUEST_KINDS == ASK_CAR
    return first_asked(request) + (LAST_CAR if car else 1)
