"""Models and money."""

from __future__ import annotations

from typing import Any

from farm.appkit import Answer, Episode, Json, Result

from .answers import left_cents

_INDENTED = Json(indented=True)


def list_models(ep: Episode) -> Result:
    """Return the models that are listed."""
    listed = models(ep)
    text = "\n".join(each["id"] for each in listed["data"]) or "(no models returned)"
    return Answer(text, structured=listed)


def models(ep: Episode) -> dict[str, Any]:
    """Return the API's list of models."""
    rows = ep.reference.all("SELECT id, owned_by FROM models WHERE is_listed ORDER BY position")
    data = [{"id": row["id"], "object": "model", "owned_by": row["owned_by"]} for row in rows]
    return {"object": "list", "data": data}


def get_user_balance(ep: Episode) -> Result:
    """Return what is left, in words of money: two digits behind the dot, as text."""
    granted, topped_up = left_cents(ep)
    currency = ep.reference.scalar("SELECT currency FROM accounts") or "CNY"
    info = {
        "currency": currency,
        "total_balance": _money(granted + topped_up),
        "granted_balance": _money(granted),
        "topped_up_balance": _money(topped_up),
    }
    body = {"is_available": granted + topped_up > 0, "balance_infos": [info]}
    return Answer(_INDENTED.text(body), structured=body)


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"
