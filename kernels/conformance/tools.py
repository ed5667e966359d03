"""The fixture's plain tools; those that take several rounds or notify meanwhile are in protocol.py."""

from farm.appkit import Tool

from . import contents

TOOLS = (
    Tool("test_simple_text", contents.simple_text),
    Tool("test_image_content", contents.image_content),
    Tool("test_audio_content", contents.audio_content),
    Tool("test_embedded_resource", contents.embedded_resource),
    Tool("test_multiple_content_types", contents.multiple_content_types),
    Tool("test_error_handling", contents.error_handling),
    Tool("json_schema_2020_12_tool", contents.json_schema_2020_12_tool),
)
