"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import images, models, sounds, texts

TOOLS = (
    Tool("generateImageUrl", images.generate_image_url),
    Tool("generateImage", images.generate_image, writes=("files",)),
    Tool("editImage", images.edit_image, writes=("files",)),
    Tool("generateImageFromReference", images.generate_image_from_reference, writes=("files",)),
    Tool("listImageModels", models.list_image_models),
    Tool("respondAudio", sounds.respond_audio, writes=("sounds",)),
    Tool("listAudioVoices", models.list_audio_voices),
    Tool("respondText", texts.respond_text),
    Tool("listTextModels", models.list_text_models),
)
