"""All hidden cards shuffled: every byte a real referee sends to a seat stays as it is.

Two worlds are played through the same referee: the same is said in public, the observer holds the
same cards, and every card it cannot know (the others' hands, the kitty, what was put away) lies
elsewhere. Handles and commitment, which are drawn anew for every match, are blanked.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from euchre_arena.match import live, waiting
from euchre_arena.rules import Deal, Hand, Rules, deal_cards
from euchre_arena.rules.dealing import commitment, match_key, seeded_secret
from euchre_arena.wire import pb

from tests.referee.rig import Rig
from tests.rules.test_views import Said, known_cards, moved, replayed, shuffled
from tests.security.wire_parts import Listener, parts

SEED = 4
WORLDS = 40
SEATS = ("ada", "cyd", "bob", "dan")
"""Teams of two, so that each seat is a bot of its own with a stream of its own."""
RULES = Rules.of("standard", {"stick_the_dealer": True})
TEXT = "secret"


@dataclass
class World:
    """A deal, what is said in it, and what the observer was sent."""

    deal: Deal
    dealer: int
    said: list[tuple[int, int]]
    observer: int
    over: asyncio.Event = field(default_factory=asyncio.Event)
    sent: list[bytes] = field(default_factory=list)

    @property
    def order(self) -> list[int]:
        """Positions in the pack, as they are dealt to give this deal."""
        pack = RULES.pack
        plain = deal_cards(RULES, self.dealer, range(pack.size))
        places = {card: place for place, card in enumerate(pack.cards)}
        found = [-1] * pack.size
        for where, what in zip(_cards(plain), _cards(self.deal), strict=True):
            found[places[where]] = places[what]
        return found


def _cards(deal: Deal) -> list[int]:
    return [*(card for hand in deal.hands for card in hand), deal.up_card, *deal.kitty]


def pairs(rng: random.Random) -> Iterator[tuple[World, World]]:
    """Two worlds each that one seat cannot tell apart, when it is asked for a decision."""
    while True:
        order = list(range(RULES.pack.size))
        rng.shuffle(order)
        dealer, observer = rng.randrange(4), rng.randrange(4)
        deal = deal_cards(RULES, dealer, order)
        hand, said = Hand(RULES, dealer, deal), list[tuple[int, int]]()
        stops = []
        while not hand.over:
            legal = hand.legal()
            if hand.to_act == observer and len(legal) > 1:
                stops.append(len(said))
            said.append((hand.to_act, rng.choice(legal)))
            hand.apply(said[-1][1])
        if not stops:
            continue
        said = said[: rng.choice(stops)]
        hand, told = Hand(RULES, dealer, deal), Said()
        for seat, action in said:
            told.append((seat, action, False))
            hand.apply(action)
        to = shuffled(hand, known_cards(hand, told, observer), rng)
        if replayed(Hand(RULES, dealer, deal), told, to, observer) is None:
            continue  # the same cannot be said there
        yield (
            World(deal, dealer, said, observer),
            World(
                Deal(
                    tuple(tuple(to[card] for card in cards) for cards in deal.hands),
                    deal.up_card,
                    tuple(to[card] for card in deal.kitty),
                ),
                dealer,
                [(seat, moved(action, to)) for seat, action in said],
                observer,
            ),
        )


class Table:
    """All worlds at once in one referee, each a match of one game."""

    def __init__(self, rig: Rig, worlds: Sequence[World]) -> None:
        self.rig = rig
        self.worlds = worlds
        self.matches: list[str] = []
        self.by_commitment: dict[bytes, World] = {}
        self.by_key: dict[bytes, World] = {}
        for world in worlds:
            (match,) = rig.order(
                (SEATS[0], SEATS[2]),
                (SEATS[1], SEATS[3]),
                secret_seed=TEXT,
                options=dict(RULES.options),
            )
            secret = seeded_secret(TEXT, match)
            self.matches.append(match)
            self.by_commitment[commitment(secret)] = world
            self.by_key[match_key(secret, [b""] * 4)] = world

    def deal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have the referee deal these worlds; any deal after the first as it comes."""
        order, first = waiting.deal_order, live.first_dealer

        def deal_order(key: bytes, game: int, number: int, size: int) -> Sequence[int]:
            return self.by_key[key].order if not number else order(key, game, number, size)

        def first_dealer(key: bytes, game: int, seats: int) -> int:
            return self.by_key[key].dealer if key in self.by_key else first(key, game, seats)

        monkeypatch.setattr(waiting, "deal_order", deal_order)
        monkeypatch.setattr(live, "first_dealer", first_dealer)

    async def play(self) -> None:
        """Say what is said in every world, until its observer is asked what is not."""
        bots = []
        for name in SEATS:
            bot = Listener(self.rig.referee.address, self.rig.token(name))
            self.rig.raw.append(bot)
            await bot.hello(capacity=4 * len(self.worlds))
            await bot.frame()
            bots.append(bot)
        await self.rig.place(*self.matches)
        players = [asyncio.create_task(self._sit(seat, bot)) for seat, bot in enumerate(bots)]
        over = asyncio.gather(*(world.over.wait() for world in self.worlds))
        await asyncio.wait([over, *players], timeout=240, return_when=asyncio.FIRST_COMPLETED)
        assert over.done(), [player for player in players if player.done()]
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        for seat, bot in enumerate(bots):
            self._keep(seat, bot)

    async def _sit(self, seat: int, bot: Listener) -> None:
        at: dict[int, World] = {}
        while True:
            frame = await bot.frame()
            for started in frame.games_started:
                at[started.game] = self.by_commitment[started.commitment]
            answers = []
            for turn in frame.turns:
                world = at[turn.game]
                if len(turn.history) < len(world.said):
                    speaker, action = world.said[len(turn.history)]
                    assert (speaker, turn.seat) == (seat, seat)
                    choice = list(turn.legal).index(action)
                    answers.append(pb.Answer(game=turn.game, turn=turn.turn, choice=choice))
                elif seat == world.observer:
                    world.over.set()
            if answers:
                await bot.send(answers=answers)

    def _keep(self, seat: int, bot: Listener) -> None:
        """The bytes sent to each observer, without what is drawn for each match."""
        at: dict[int, World] = {}
        blanks: dict[int, bytes] = {}
        for _, raw in bot.raws:
            for part in parts(raw):
                if part.kind == "games_started":
                    started = pb.GameStarted.FromString(part.content)
                    at[started.game] = self.by_commitment[started.commitment]
                    blanks[started.game] = started.commitment
                    names = (started.commitment, started.match.to_bytes(8, "little"))
                elif part.kind == "turns":
                    names = ()
                    started = pb.Turn.FromString(part.content)
                else:
                    continue
                world, content = at[started.game], part.content
                if seat != world.observer:
                    continue
                for name in (started.game.to_bytes(8, "little"), *names):
                    assert content.count(name) == 1
                    content = content.replace(name, bytes(len(name)))
                world.sent.append(part.kind.encode() + content)


async def test_every_byte_sent_to_a_seat_is_the_same_in_every_world_it_cannot_tell_apart(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = pairs(random.Random(SEED))
    couples = [next(found) for _ in range(WORLDS)]
    await rig.start(matches=2 * WORLDS + 1)
    table = Table(rig, [world for couple in couples for world in couple])
    table.deal(monkeypatch)
    await table.play()
    moved_cards = 0
    for one, other in couples:
        assert one.deal != other.deal
        moved_cards += sum(
            a != b for a, b in zip(_cards(one.deal), _cards(other.deal), strict=True)
        )
        assert len(one.sent) >= 2, "a start and a turn at least"
        assert one.sent == other.sent
    assert moved_cards > 5 * WORLDS


async def test_the_comparison_sees_a_card_that_may_be_known(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kitty exchanged with the observer's own hand: its turns differ."""
    dealt, _ = next(pairs(random.Random(SEED)))
    eldest = (dealt.dealer + 1) % 4
    hands = list(dealt.deal.hands)
    mine = hands[eldest]
    hands[eldest] = (*dealt.deal.kitty, *mine[3:])
    changed = Deal(tuple(hands), dealt.deal.up_card, mine[:3])
    first, other = (World(deal, dealt.dealer, [], eldest) for deal in (dealt.deal, changed))
    await rig.start()
    table = Table(rig, [first, other])
    table.deal(monkeypatch)
    await table.play()
    assert first.sent[0] == other.sent[0]
    assert first.sent[1] != other.sent[1]
