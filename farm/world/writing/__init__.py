"""Have a world's texts written: batches of an outline become prompts, and answers are accepted by code."""

from farm.world.writing.batches import Batch, read_batches
from farm.world.writing.session import Result, write_batches

__all__ = ["Batch", "Result", "read_batches", "write_batches"]
