"""The people of a world as Lark knows them, and the ids and texts that the other parts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Row
from farm.appkit.world_spec import AT_WORK, Account, AppSpec, Organisation, Resolve, as_json, require

from .files import APPS, CHATS, TENANT

_SATURDAY = 5


def domain_of(organisation: Organisation) -> str:
    """Return the domain of a company's Lark."""
    return f"{organisation.domain.removesuffix('.example').split('.')[0]}.feishu.cn"


def token(spec: AppSpec, key: str) -> str:
    """Return the 27 characters that name a document, base or wiki in its address."""
    return spec.id("{alnum:27}", "file", key)


class Company:
    """Ids and texts of one world's Lark."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.facts = spec.read(TENANT)
        self.now_s = int(spec.world.starts_at.timestamp())
        self.people = spec.members
        self.home = spec.world.home.key
        self.chats = spec.read_keyed(CHATS)["chats"]
        self.apps = spec.read_keyed(APPS)["apps"]
        for key, app in self.apps.items():
            for chat in app["chats"]:
                require("chat", chat, self.chats, f"lark/apps.toml: '{key}'")
        self.chat_names: dict[str, str] = {key: chat["name"] for key, chat in self.chats.items()}
        # For texts without mentions of their own, such as an event's description or a document.
        self.references: dict[str, Resolve] = {
            "user": lambda key: f"@{self.named(key)}",
            "doc": lambda key: spec.link(key).address,
            "channel": self.channel,
        }

    def id(self, form: str, kind: str, *parts: object) -> str:
        """Return an id of this form for something of this world's Lark."""
        return self.spec.id(form, kind, *parts)

    def token(self, key: str) -> str:
        """Return what names a document, base or wiki in its address."""
        return token(self.spec, key)

    def show(self, raw: str, where: str, **more: Resolve) -> str:
        """Return a text as Lark shows it; ``more`` replaces references."""
        return self.spec.text(raw, {**self.references, **more}, where)

    def open_id(self, key: str, where: str = "lark") -> str:
        """Return the open_id of a person with a Lark account."""
        require("person with Lark", key, self.people, where)
        return self.id("ou_{hex:32}", "open_id", key)

    def chat_id(self, key: str) -> str:
        """Return the id of a group."""
        return self.id("oc_{hex:32}", "chat", key)

    def app_id(self, key: str) -> str:
        """Return the id of an app, as which its bot posts."""
        return self.id("cli_{hex:16}", "app", key)

    def apps_of(self, chat: str) -> list[str]:
        """Return the apps whose bots are in a group, in the order of apps.toml."""
        return [key for key, app in self.apps.items() if chat in app["chats"]]

    def tenant(self, organisation: str) -> str:
        """Return the tenant key of a company."""
        return self.id("{hex:16}", "tenant", organisation)

    def named(self, key: str) -> str:
        """Return the name a mention shows.

        Raises:
            ValueError: nobody with Lark has this key.
        """
        if key not in self.people:
            raise ValueError(f"no person with Lark '{key}'")
        return self.people[key].name

    def channel(self, key: str) -> str:
        """Return how a text names a chat.

        Raises:
            ValueError: no chat has this key.
        """
        if key not in self.chat_names:
            raise ValueError(f"no chat '{key}'; have {', '.join(self.chat_names)}")
        return f"「{self.chat_names[key]}」"

    def chat_made_ms(self, chat: dict[str, Any], where: str) -> int:
        """Return when a group was made, in milliseconds."""
        return self.spec.second_ms(chat["created"], where, "chat", chat["key"])

    def earlier_s(self, key: str, *parts: object, days: tuple[int, int]) -> int:
        """Return a second at which a person was at work, some days before the start."""
        day = self.spec.world.starts_at.date() - timedelta(days=self.spec.number(*days, *parts))
        return self.at_work_s(key, day, *parts)

    def at_work_s(self, key: str, day: date, *parts: object) -> int:
        """Return a second at which a person is at work on a day, by their clock; of a weekend, the Friday before."""
        if day.weekday() >= _SATURDAY:
            day -= timedelta(days=day.weekday() - _SATURDAY + 1)
        zone = ZoneInfo(self.people[key].time_zone)
        first = int(datetime.combine(day, time(AT_WORK.first), zone).timestamp())
        return first + self.spec.number(120, (AT_WORK.end - AT_WORK.first) * 3600 - 120, "at work", *parts)


def rows(spec: AppSpec, company: Company) -> Iterator[Row]:
    """Yield companies, departments, people and bots."""
    members = list(company.people.values())
    for key in dict.fromkeys(person.organisation for person in members):
        organisation = spec.world.organisations[key]
        yield {
            "table": "tenants",
            "tenant_key": company.tenant(key),
            "name": organisation.name_zh or organisation.name_en,
            "domain": domain_of(organisation),
        }
    for key, name in dict.fromkeys((person.organisation, person.department) for person in members):
        yield {
            "table": "departments",
            "department_id": _department(company, key, name),
            "tenant_key": company.tenant(key),
            "name": require("department", name, spec.world.departments, "lark/accounts.toml"),
            "en_name": name,
        }
    joined_s = {key: _joined_s(company, spec.accounts[key]) for key in company.people}
    numbers = _employee_numbers(company, joined_s)
    for key in company.people:
        yield _user(company, spec.accounts[key], joined_s[key], numbers[key])
    for key, app in company.apps.items():
        yield {
            "table": "bots",
            "app_id": company.app_id(key),
            "tenant_key": company.tenant(company.home),
            "open_id": company.id("ou_{hex:32}", "bot", key),
            "name": app["name"],
            "is_active": 1,
        }


def _department(company: Company, organisation: str, name: str) -> str:
    return company.id("od-{hex:32}", "department", organisation, name)


def _joined_s(company: Company, account: Account) -> int:
    """Return when somebody joined the company; it was founded by who has no manager."""
    key = account.key
    if "joined" in account.more:
        return company.spec.second_ms(account.more["joined"], "lark/accounts.toml", "joined", key) // 1000
    days = (150, 2100) if account.owner.manager else (2200, 2500)
    return company.earlier_s(key, "join", key, days=days)


def _employee_numbers(company: Company, joined_s: Mapping[str, int]) -> dict[str, str]:
    """Return person → their number; a company counts its people as they join."""
    numbers, used = dict[str, str](), Counter[str]()
    for key in sorted(joined_s, key=lambda key: joined_s[key]):
        organisation = company.people[key].organisation
        used[organisation] += 1
        numbers[key] = f"{organisation[:2].upper()}{used[organisation]:04d}"
    return numbers


def _user(company: Company, account: Account, joined_s: int, employee_no: str) -> Row:
    """Return the account of a person; who left the company is resigned and keeps the account."""
    person = account.owner
    left = person.status == "left"
    return {
        "table": "users",
        "open_id": company.open_id(person.key),
        "union_id": company.id("on_{hex:32}", "union_id", person.key),
        "user_id": company.id("{base36:8}", "user_id", person.key),
        "tenant_key": company.tenant(person.organisation),
        "person": person.key,
        "name": person.name,
        "en_name": person.name_en,
        "email": account.address,
        "mobile": person.phone.replace(" ", ""),
        "mobile_visible": 0 if person.title_en.startswith(("CEO", "VP")) else 1,
        "avatar": company.id("v3_{hex:32}", "avatar", person.key),
        "department_ids": as_json([_department(company, person.organisation, person.department)]),
        "leader_user_id": company.open_id(person.manager) if person.manager else None,
        "city": person.city,
        "country": require("city", person.city, company.facts["countries"], "lark/tenant.toml: countries"),
        "work_station": "",
        "join_time": joined_s,
        "is_tenant_manager": int(account.more.get("is_tenant_manager", False)),
        "employee_no": employee_no,
        "job_title": person.title_zh if person.name_zh else person.title_en,
        "is_frozen": int(left),
        "is_resigned": int(left),
        "is_activated": int(not left),
    }
