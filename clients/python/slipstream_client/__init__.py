"""Client of Slipstream services: asyncio and blocking, pure Python."""

from .aio import AsyncClient
from .blocking import Client, Feed
from .errors import Busy, Failed, OutcomeUnknown, SlipstreamError
from .feed import AsyncFeed, Item, Snapshot
from .protocol import Reply, Status

__all__ = ["AsyncClient", "AsyncFeed", "Busy", "Client", "Failed", "Feed", "Item", "OutcomeUnknown", "Reply",
           "SlipstreamError", "Snapshot", "Status"]
