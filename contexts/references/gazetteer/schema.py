"""The gazetteer: districts, places, roads, lines, trains, climate, addresses of the internet. Points are in GCJ-02."""

from sqlalchemy import Index

from farm.appkit.schema import INTEGER, REAL, MetaData, column, reference, table

METADATA = MetaData()

districts = table(
    "districts",
    METADATA,
    column("adcode", generation="authentic", primary_key=True),
    column("name", generation="authentic", nullable=False),
    column("pinyin", generation="authentic"),  # of cities: shanghai
    column("level", generation="enumerate", nullable=False),  # country, province, city, district
    # A municipality is its own city, as its districts are right below it: 上海市 is a city with parent 100000.
    column("parent_adcode", generation="authentic"),
    column("citycode", generation="authentic", nullable=False),  # the telephone's area code
    column("longitude", REAL, generation="authentic", nullable=False),
    column("latitude", REAL, generation="authentic", nullable=False),
    column("radius_m", INTEGER, generation="authentic", nullable=False),  # of a circle of about its size
)

categories = table(
    "categories",
    METADATA,
    column("category", generation="authentic", primary_key=True),  # six digits, two a level
    column("large", generation="authentic", nullable=False),
    column("middle", generation="authentic", nullable=False),
    column("small", generation="authentic", nullable=False),
)

places = table(
    "places",
    METADATA,
    column("place_id", INTEGER, generation="enumerate", primary_key=True),
    column("name", generation="authentic", nullable=False),
    column("alias", generation="authentic"),  # other names, between bars
    column("category", reference("categories.category"), generation="authentic", nullable=False),
    column("adcode", reference("districts.adcode"), generation="authentic", nullable=False),
    column("street", generation="authentic"),
    column("number", generation="authentic"),  # with its 号
    column("address", generation="authentic"),  # as people write it, without the city and district
    column("telephone", generation="random"),
    column("business_area", generation="authentic"),
    column("longitude", REAL, generation="authentic", nullable=False),
    column("latitude", REAL, generation="authentic", nullable=False),
    column("wgs84_longitude", REAL, generation="authentic", nullable=False),
    column("wgs84_latitude", REAL, generation="authentic", nullable=False),
    column("rating", REAL, generation="random"),
    column("cost", REAL, generation="random"),  # in yuan, a person or a night
    column("opening", generation="random"),  # 10:00-22:00
    column("is_invented", INTEGER, generation="enumerate", nullable=False, server_default="0"),
)

roads = table(
    "roads",
    METADATA,
    column("road_id", INTEGER, generation="enumerate", primary_key=True),
    column(
        "adcode", reference("districts.adcode"), generation="authentic", nullable=False
    ),  # a city, or 100000 between cities
    column("name", generation="authentic", nullable=False),
    column("kind", generation="enumerate", nullable=False),  # motorway, ring, avenue, street
    column("points", generation="authentic", json=True, nullable=False),  # [[longitude, latitude], …]
)

# Those that part a city: nobody walks over one but on a road.
rivers = table(
    "rivers",
    METADATA,
    column("river_id", INTEGER, generation="enumerate", primary_key=True),
    column("name", generation="authentic", nullable=False),
    column("points", generation="authentic", json=True, nullable=False),  # [[longitude, latitude], …], its middle
)

stops = table(
    "stops",
    METADATA,
    column("stop_id", INTEGER, generation="enumerate", primary_key=True),
    column("adcode", reference("districts.adcode"), generation="authentic", nullable=False),  # a city
    column("name", generation="authentic", nullable=False),
    column("longitude", REAL, generation="authentic", nullable=False),
    column("latitude", REAL, generation="authentic", nullable=False),
)

lines = table(
    "lines",
    METADATA,
    column("line_id", INTEGER, generation="enumerate", primary_key=True),
    column("adcode", reference("districts.adcode"), generation="authentic", nullable=False),  # a city
    column("name", generation="authentic", nullable=False),
    column("kind", generation="enumerate", nullable=False),  # metro, bus
    column("headway_s", INTEGER, generation="authentic", nullable=False),
    column("is_ring", INTEGER, generation="authentic", nullable=False, server_default="0"),
)

line_stops = table(
    "line_stops",
    METADATA,
    column("line_id", INTEGER, reference("lines.line_id"), generation="authentic", primary_key=True),
    column("position", INTEGER, generation="authentic", primary_key=True),
    column("stop_id", INTEGER, reference("stops.stop_id"), generation="authentic", nullable=False),
)

trains = table(
    "trains",
    METADATA,
    column("trip", generation="authentic", primary_key=True),  # G7591
    column("kind", generation="enumerate", nullable=False),  # 高速, 城际
    column("first", generation="authentic", nullable=False),
    column("last", generation="authentic", nullable=False),
)

train_stops = table(
    "train_stops",
    METADATA,
    column("trip", reference("trains.trip"), generation="authentic", primary_key=True),
    column("position", INTEGER, generation="authentic", primary_key=True),
    column("place_id", INTEGER, reference("places.place_id"), generation="authentic", nullable=False),
    column(
        "minute", INTEGER, generation="authentic", nullable=False
    ),  # of the day, when it leaves; arrives at the last
)

climate = table(
    "climate",
    METADATA,
    column("adcode", reference("districts.adcode"), generation="authentic", primary_key=True),
    column("month", INTEGER, generation="authentic", primary_key=True),
    column("high", REAL, generation="authentic", nullable=False),
    column("low", REAL, generation="authentic", nullable=False),
    column("wet_days", REAL, generation="authentic", nullable=False),
    column("wind", generation="authentic", nullable=False),  # where it mostly comes from
)

# Days whose weather is told and not modelled: those that a story's people talk about.
weather_days = table(
    "weather_days",
    METADATA,
    column("adcode", reference("districts.adcode"), generation="authentic", primary_key=True),
    column("date", generation="authentic", primary_key=True),
    column("day_sky", generation="authentic", nullable=False),
    column("night_sky", generation="authentic", nullable=False),
    column("high", INTEGER, generation="authentic", nullable=False),
    column("low", INTEGER, generation="authentic", nullable=False),
    column("wind", generation="authentic", nullable=False),
    column("force", generation="authentic", nullable=False),  # 1-3
)

ip_ranges = table(
    "ip_ranges",
    METADATA,
    column("first", INTEGER, generation="authentic", primary_key=True),
    column("last", INTEGER, generation="authentic", nullable=False),
    column("adcode", reference("districts.adcode"), generation="authentic", nullable=False),
)

Index("places_of_a_district", places.c.adcode)
Index("places_by_name", places.c.name)
Index("roads_of_a_city", roads.c.adcode)
Index("stops_of_a_city", stops.c.adcode)

# How another service sorts the same places: its words for their kinds, and its numbers for cities.
tags = table(
    "tags",
    METADATA,
    column("category", reference("categories.category"), generation="authentic", primary_key=True),
    column("tag", generation="authentic", nullable=False),  # two levels: 美食;咖啡厅
    column("level", generation="authentic", nullable=False),  # what an address of this kind is said to be
)

city_codes = table(
    "city_codes",
    METADATA,
    column("adcode", reference("districts.adcode"), generation="authentic", primary_key=True),
    column("code", INTEGER, generation="authentic", nullable=False),
)
