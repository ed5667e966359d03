"""What the service behind the tools offers: models, voices, and the sentences of its stand-in for a language model."""

from farm.context.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

image_models = table(
    "image_models",
    METADATA,
    column("name", made="authentic", primary_key=True),
    column("position", INTEGER, made="random", nullable=False, unique=True),
)

text_models = table(
    "text_models",
    METADATA,
    column("name", made="authentic", primary_key=True),
    column("position", INTEGER, made="random", nullable=False, unique=True),
    column("description", made="authentic", nullable=False),
    column("provider", made="authentic", nullable=False),
    column("tier", made="enumerate", nullable=False),
    column("input_modalities", made="authentic", json=True, nullable=False),
    column("output_modalities", made="authentic", json=True, nullable=False),
    column("tools", INTEGER, made="enumerate", nullable=False),
)

voices = table(
    "voices",
    METADATA,
    column("name", made="authentic", primary_key=True),
    column("position", INTEGER, made="random", nullable=False, unique=True),
)

# With {model}, {words} (how many, and the noun) and {quoted} in them; each says what is speaking.
replies = table(
    "replies",
    METADATA,
    column("text", made="authentic", primary_key=True),
)

# Words of a prompt, in any script, and the colour that they give a picture.
colours = table(
    "colours",
    METADATA,
    column("word", made="authentic", primary_key=True),
    column("red", INTEGER, made="authentic", nullable=False),
    column("green", INTEGER, made="authentic", nullable=False),
    column("blue", INTEGER, made="authentic", nullable=False),
)
