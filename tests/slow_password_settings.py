"""Settings of a running site that checks no password as long as there is a file named in ``HOLD_PASSWORDS``."""

import os
import time
from pathlib import Path

from django.contrib.auth.hashers import MD5PasswordHasher

from cardsite.settings import *  # noqa: F403


class Held(MD5PasswordHasher):
    """Waits where a real one computes, and makes a file beside that one to say so."""

    def encode(self, password: str, salt: str) -> str:
        Path(os.environ["HOLD_PASSWORDS"] + ".waits").touch()
        while os.path.exists(os.environ["HOLD_PASSWORDS"]):
            time.sleep(0.01)
        return super().encode(password, salt)


PASSWORD_HASHERS = ["tests.slow_password_settings.Held"]
