"""A TCP line as a process: `python -m tests.chaos.proxy PORT TARGET`, told what to do on stdin.

A line of input each: ``cut`` resets every connection, ``slow SECONDS`` holds up every piece of
data for so long. It stalls when it is stopped by a signal, and ends with its input.
"""

from __future__ import annotations

import asyncio
import sys

import click

from tests.sdk.proxy import Proxy


async def main(port: int, target: str) -> None:
    """Pass on until the input ends."""
    async with Proxy(target, port) as line:
        click.echo(line.address)
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while told := (await reader.readline()).split():
            if told[0] == b"cut":
                line.cut()
            elif told[0] == b"slow":
                line.delay_s = float(told[1])


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
