"""The collector's errors. Each message is one line that names the cause and the remedy."""


class TightropeError(Exception):
    """Base of every error that a user is shown as one line, without a traceback."""


class UsageError(TightropeError):
    """The command line, a setting or the settings file is wrong."""


class UnreachableError(TightropeError):
    """The service does not answer, or answers that it is not ready."""


class StoreError(TightropeError):
    """The data folder cannot be opened or written."""


class SqlError(TightropeError):
    """A statement was refused, failed, or ran out of its time or memory."""


class JournalFull(TightropeError):
    """The journal's bound or the disk's free space is reached: the client should retry later."""
