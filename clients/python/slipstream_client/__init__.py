"""Client of Slipstream services: asyncio and blocking, pure Python."""

from .aio import AsyncClient
from .blocking import Client
from .errors import Busy, Failed, OutcomeUnknown, SlipstreamError
from .protocol import Reply, Status

__all__ = ["AsyncClient", "Busy", "Client", "Failed", "OutcomeUnknown", "Reply", "SlipstreamError", "Status"]
