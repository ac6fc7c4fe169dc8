"""What can go wrong with a request."""


class SlipstreamError(Exception):
    """Any failure of a request."""


class Busy(SlipstreamError):
    """The service refused the request; it was not applied."""

    def __init__(self, retry_after: float, reason: int) -> None:
        super().__init__(f"the service is busy; come back in {retry_after:.3f} s")
        self.retry_after = retry_after
        self.reason = reason


class Failed(SlipstreamError):
    """The request failed, or the service does not want this client; docs/protocol.md lists the codes."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class OutcomeUnknown(SlipstreamError):
    """There was no answer: the command may have been applied, or not."""
