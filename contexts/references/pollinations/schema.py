"""What the service behind the tools offers: models, voices, and the sentences of its stand-in for a language model."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

image_models = table(
    "image_models",
    METADATA,
    column("name", generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", nullable=False, unique=True),
)

text_models = table(
    "text_models",
    METADATA,
    column("name", generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", nullable=False, unique=True),
    column("description", generation="authentic", nullable=False),
    column("provider", generation="authentic", nullable=False),
    column("tier", generation="enumerate", nullable=False),
    column("input_modalities", generation="authentic", json=True, nullable=False),
    column("output_modalities", generation="authentic", json=True, nullable=False),
    column("tools", INTEGER, generation="enumerate", nullable=False),
)

voices = table(
    "voices",
    METADATA,
    column("name", generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", nullable=False, unique=True),
)

# With {model}, {words} (how many, and the noun) and {quoted} in them; each says what is speaking.
replies = table(
    "replies",
    METADATA,
    column("text", generation="authentic", primary_key=True),
)

# Words of a prompt, in any script, and the colour that they give a picture.
colours = table(
    "colours",
    METADATA,
    column("word", generation="authentic", primary_key=True),
    column("red", INTEGER, generation="authentic", nullable=False),
    column("green", INTEGER, generation="authentic", nullable=False),
    column("blue", INTEGER, generation="authentic", nullable=False),
)
