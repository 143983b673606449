"""Settings of a running site that checks no password as long as there is a file named in ``HOLD_PASSWORDS``."""

import os
import time

from django.contrib.auth.hashers import MD5PasswordHasher

from cardsite.settings import *  # noqa: F403


class Held(MD5PasswordHasher):
    """Waits where a real one computes."""

    def encode(self, password: str, salt: str) -> str:
        while os.path.exists(os.environ["HOLD_PASSWORDS"]):
            time.sleep(0.01)
        return super().encode(password, salt)


PASSWORD_HASHERS = ["tests.slow_password_settings.Held"]
