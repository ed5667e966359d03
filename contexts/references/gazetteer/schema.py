"""The gazetteer: districts, places, roads, lines, trains, climate, addresses of the internet. Points are in GCJ-02."""

from sqlalchemy import Index

from farm.context.schema import INTEGER, REAL, MetaData, column, reference, table

METADATA = MetaData()

districts = table(
    "districts",
    METADATA,
    column("adcode", made="authentic", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("pinyin", made="authentic"),  # of cities: shanghai
    column("level", made="enumerate", nullable=False),  # country, province, city, district
    # A municipality is its own city, as its districts are right below it: 上海市 is a city with parent 100000.
    column("parent_adcode", made="authentic"),
    column("citycode", made="authentic", nullable=False),  # the telephone's area code
    column("longitude", REAL, made="authentic", nullable=False),
    column("latitude", REAL, made="authentic", nullable=False),
    column("radius_m", INTEGER, made="authentic", nullable=False),  # of a circle of about its size
)

categories = table(
    "categories",
    METADATA,
    column("category", made="authentic", primary_key=True),  # six digits, two a level
    column("large", made="authentic", nullable=False),
    column("middle", made="authentic", nullable=False),
    column("small", made="authentic", nullable=False),
)

places = table(
    "places",
    METADATA,
    column("place_id", INTEGER, made="enumerate", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("alias", made="authentic"),  # other names, between bars
    column("category", reference("categories.category"), made="authentic", nullable=False),
    column("adcode", reference("districts.adcode"), made="authentic", nullable=False),
    column("street", made="authentic"),
    column("number", made="authentic"),  # with its 号
    column("address", made="authentic"),  # as people write it, without the city and district
    column("telephone", made="random"),
    column("business_area", made="authentic"),
    column("longitude", REAL, made="authentic", nullable=False),
    column("latitude", REAL, made="authentic", nullable=False),
    column("wgs84_longitude", REAL, made="authentic", nullable=False),
    column("wgs84_latitude", REAL, made="authentic", nullable=False),
    column("rating", REAL, made="random"),
    column("cost", REAL, made="random"),  # in yuan, a person or a night
    column("opening", made="random"),  # 10:00-22:00
    column("is_invented", INTEGER, made="enumerate", nullable=False, server_default="0"),
)

roads = table(
    "roads",
    METADATA,
    column("road_id", INTEGER, made="enumerate", primary_key=True),
    column(
        "adcode", reference("districts.adcode"), made="authentic", nullable=False
    ),  # a city, or 100000 between cities
    column("name", made="authentic", nullable=False),
    column("kind", made="enumerate", nullable=False),  # motorway, ring, avenue, street
    column("points", made="authentic", json=True, nullable=False),  # [[longitude, latitude], …]
)

# Those that part a city: nobody walks over one but on a road.
rivers = table(
    "rivers",
    METADATA,
    column("river_id", INTEGER, made="enumerate", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("points", made="authentic", json=True, nullable=False),  # [[longitude, latitude], …], its middle
)

stops = table(
    "stops",
    METADATA,
    column("stop_id", INTEGER, made="enumerate", primary_key=True),
    column("adcode", reference("districts.adcode"), made="authentic", nullable=False),  # a city
    column("name", made="authentic", nullable=False),
    column("longitude", REAL, made="authentic", nullable=False),
    column("latitude", REAL, made="authentic", nullable=False),
)

lines = table(
    "lines",
    METADATA,
    column("line_id", INTEGER, made="enumerate", primary_key=True),
    column("adcode", reference("districts.adcode"), made="authentic", nullable=False),  # a city
    column("name", made="authentic", nullable=False),
    column("kind", made="enumerate", nullable=False),  # metro, bus
    column("headway_s", INTEGER, made="authentic", nullable=False),
    column("is_ring", INTEGER, made="authentic", nullable=False, server_default="0"),
)

line_stops = table(
    "line_stops",
    METADATA,
    column("line_id", INTEGER, reference("lines.line_id"), made="authentic", primary_key=True),
    column("position", INTEGER, made="authentic", primary_key=True),
    column("stop_id", INTEGER, reference("stops.stop_id"), made="authentic", nullable=False),
)

trains = table(
    "trains",
    METADATA,
    column("trip", made="authentic", primary_key=True),  # G7591
    column("kind", made="enumerate", nullable=False),  # 高速, 城际
    column("first", made="authentic", nullable=False),
    column("last", made="authentic", nullable=False),
)

train_stops = table(
    "train_stops",
    METADATA,
    column("trip", reference("trains.trip"), made="authentic", primary_key=True),
    column("position", INTEGER, made="authentic", primary_key=True),
    column("place_id", INTEGER, reference("places.place_id"), made="authentic", nullable=False),
    column("minute", INTEGER, made="authentic", nullable=False),  # of the day, when it leaves; arrives at the last
)

climate = table(
    "climate",
    METADATA,
    column("adcode", reference("districts.adcode"), made="authentic", primary_key=True),
    column("month", INTEGER, made="authentic", primary_key=True),
    column("high", REAL, made="authentic", nullable=False),
    column("low", REAL, made="authentic", nullable=False),
    column("wet_days", REAL, made="authentic", nullable=False),
    column("wind", made="authentic", nullable=False),  # where it mostly comes from
)

# Days whose weather is told and not modelled: those that a story's people talk about.
weather_days = table(
    "weather_days",
    METADATA,
    column("adcode", reference("districts.adcode"), made="authentic", primary_key=True),
    column("date", made="authentic", primary_key=True),
    column("day_sky", made="authentic", nullable=False),
    column("night_sky", made="authentic", nullable=False),
    column("high", INTEGER, made="authentic", nullable=False),
    column("low", INTEGER, made="authentic", nullable=False),
    column("wind", made="authentic", nullable=False),
    column("force", made="authentic", nullable=False),  # 1-3
)

ip_ranges = table(
    "ip_ranges",
    METADATA,
    column("first", INTEGER, made="authentic", primary_key=True),
    column("last", INTEGER, made="authentic", nullable=False),
    column("adcode", reference("districts.adcode"), made="authentic", nullable=False),
)

Index("places_of_a_district", places.c.adcode)
Index("places_by_name", places.c.name)
Index("roads_of_a_city", roads.c.adcode)
Index("stops_of_a_city", stops.c.adcode)

# How another service sorts the same places: its words for their kinds, and its numbers for cities.
tags = table(
    "tags",
    METADATA,
    column("category", reference("categories.category"), made="authentic", primary_key=True),
    column("tag", made="authentic", nullable=False),  # two levels: 美食;咖啡厅
    column("level", made="authentic", nullable=False),  # what an address of this kind is said to be
)

city_codes = table(
    "city_codes",
    METADATA,
    column("adcode", reference("districts.adcode"), made="authentic", primary_key=True),
    column("code", INTEGER, made="authentic", nullable=False),
)
