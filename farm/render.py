"""Parts of ``Quoted`` bodies, for the kernels that still put long lists together from them."""

from farm.envelope import Json, quoted_go

__all__ = ["quoted", "quoted_go"]

quoted = Json().quoted
